package dev.stet.functions;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An object that may be new, as a notification tells of it. It is a hint: what is there when one looks, and what the ledger has, decide.
 *
 * @param key of the bucket, decoded
 */
record ObjectHint(String bucket, String key) {
    private static final int MAX_KEY_BYTES = 1_024;

    ObjectHint {
        if (key.isEmpty() || !StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
            throw new RefusedRunException("a message with a key that no object can have: '" + key + "'");
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_KEY_BYTES) {
            throw new RefusedRunException("a message with a key of " + bytes + " bytes; S3's have at most "
                    + MAX_KEY_BYTES + ": " + key.substring(0, 100) + "…");
        }
    }

    /** Of what EventBridge tells, that which may make an object new or readable. */
    private static final Set<String> DETAIL_TYPES = Set.of("Object Created", "Object Restore Completed");

    /**
     * The hints in the body of a message: S3's own notification (keys are URL-encoded), EventBridge's (keys are not), or either wrapped by SNS. None for test
     * events, deletions and whatever else leaves objects as they are.
     *
     * @throws RefusedRunException for what is none of these
     */
    static List<ObjectHint> of(String body) {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            throw new RefusedRunException("a message that is no JSON: " + e.getOriginalMessage(), e);
        }
        if (json.path("Type").asString("").equals("Notification")
                && json.path("Message").isString()) {
            return of(json.get("Message").stringValue());
        }
        if (json.path("Event").asString("").equals("s3:TestEvent")) {
            return List.of();
        }
        if (json.path("Records").isArray()) {
            List<ObjectHint> hints = new ArrayList<>();
            for (JsonNode record : json.get("Records").values()) {
                ofNotification(record).ifPresent(hints::add);
            }
            return hints;
        }
        if (json.path("detail-type").isString()
                && json.path("source").asString("").equals("aws.s3")) {
            return ofEventBridge(json).stream().toList();
        }
        throw new RefusedRunException(
                "a message that is no notification of S3's: " + body.substring(0, Math.min(200, body.length())));
    }

    private static Optional<ObjectHint> ofNotification(JsonNode record) {
        String name = Events.text(record, "eventName");
        if (!name.contains("ObjectCreated:") && !name.contains("ObjectRestore:Completed")) {
            return Optional.empty();
        }
        JsonNode s3 = Events.object(record, "s3");
        return Optional.of(new ObjectHint(
                Events.text(Events.object(s3, "bucket"), "name"),
                decoded(Events.text(Events.object(s3, "object"), "key"))));
    }

    private static String decoded(String key) {
        try {
            return URLDecoder.decode(key, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new RefusedRunException("a message with a key that is not URL-encoded: " + key, e);
        }
    }

    private static Optional<ObjectHint> ofEventBridge(JsonNode event) {
        if (!DETAIL_TYPES.contains(Events.text(event, "detail-type"))) {
            return Optional.empty();
        }
        JsonNode detail = Events.object(event, "detail");
        return Optional.of(new ObjectHint(
                Events.text(Events.object(detail, "bucket"), "name"),
                Events.text(Events.object(detail, "object"), "key")));
    }
}
