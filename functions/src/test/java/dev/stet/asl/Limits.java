package dev.stet.asl;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The service's limits (Standard workflows). */
public final class Limits {
    /** Bytes of an execution's, state's or task's input or result, as UTF-8 JSON. */
    public static final int PAYLOAD = 256 * 1024;

    public static final int HISTORY_EVENTS = 25_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}");

    private Limits() {}

    static JsonNode payload(String what, JsonNode node) throws Failure {
        int bytes = node.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > PAYLOAD) {
            throw new Failure(
                    Failure.DATA_LIMIT, what + " has " + bytes + " bytes; at most " + PAYLOAD + " are allowed");
        }
        return node;
    }

    /** The service takes some more characters; these are the ones it also recommends, since names stand in ARNs and logs. */
    static void executionName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new RefusedException("InvalidName: '" + name + "' is no name for an execution");
        }
    }
}
