package dev.stet.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of messages that somebody may send to a queue: a notification with a part missing, of another type or in another place, or no JSON at all. */
final class BadBodies {
    private static final List<String> PARTS = List.of(
            "null",
            "true",
            "[]",
            "{}",
            "\"\"",
            "\"raw/100%\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "-1",
            "1e400",
            "9".repeat(400),
            "[[[[[]]]]]",
            "{\"Records\":{}}",
            "[null]");

    private final Random random;
    private final String notification;

    BadBodies(long seed, String notification) {
        this.random = new Random(seed);
        this.notification = notification;
    }

    String next() {
        return switch (random.nextInt(8)) {
            case 0 -> notification.substring(0, random.nextInt(notification.length()));
            case 1 -> flipped();
            case 2 -> part();
            case 3 -> "[".repeat(5_000);
            case 4 -> wrapped(changed());
            default -> changed();
        };
    }

    private String part() {
        return PARTS.get(random.nextInt(PARTS.size()));
    }

    private String flipped() {
        StringBuilder text = new StringBuilder(notification);
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(0x80));
        return text.toString();
    }

    private static String wrapped(String body) {
        return JsonMapper.shared()
                .createObjectNode()
                .put("Type", "Notification")
                .put("Message", body)
                .toString();
    }

    /** The notification, where one node at random is gone or another. */
    private String changed() {
        JsonNode root = JsonMapper.shared().readTree(notification);
        List<Runnable> changes = new ArrayList<>();
        collect(root, changes);
        changes.get(random.nextInt(changes.size())).run();
        return root.toString();
    }

    private void collect(JsonNode node, List<Runnable> changes) {
        JsonNode other = JsonMapper.shared().readTree(part());
        if (node instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                changes.add(() -> object.set(name, other));
                changes.add(() -> object.remove(name));
                collect(object.get(name), changes);
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int at = i;
                changes.add(() -> array.set(at, other));
                collect(array.get(i), changes);
            }
        }
    }
}
