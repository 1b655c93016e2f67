package dev.stet.functions;

import java.time.Instant;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One structured log line: a JSON object. */
final class LogLine {
    private final ObjectNode line = JsonMapper.shared().createObjectNode();

    LogLine(String level, Instant at) {
        line.put("level", level).put("time", at.toString());
    }

    LogLine with(String name, String value) {
        line.put(name, value);
        return this;
    }

    LogLine with(String name, long value) {
        line.put(name, value);
        return this;
    }

    LogLine with(String name, ObjectNode value) {
        line.set(name, value);
        return this;
    }

    String text() {
        return line.toString();
    }
}
