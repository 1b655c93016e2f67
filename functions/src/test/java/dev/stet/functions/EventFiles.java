package dev.stet.functions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The sample events that the documentation names. */
final class EventFiles {
    private static final Path FOLDER = Path.of("..", "events");

    private EventFiles() {}

    /** @param replacements what stands in the file, and what is put for it, in turn */
    static ObjectNode read(String name, String... replacements) throws IOException {
        String text = Files.readString(FOLDER.resolve(name));
        for (int i = 0; i < replacements.length; i += 2) {
            text = text.replace(replacements[i], replacements[i + 1]);
        }
        return (ObjectNode) JsonMapper.shared().readTree(text);
    }
}
