package dev.stet.config;

import dev.stet.config.ConfigValue.Items;
import dev.stet.config.ConfigValue.Literal;
import dev.stet.config.ConfigValue.Section;
import dev.stet.config.ConfigValue.Text;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Saves pipelines as YAML that {@link ConfigFile} reads back as the same settings; saved again, they give the same bytes. Lists stand in one line, texts
 * are quoted where YAML or the environment's variables would make something else of them.
 */
public final class ConfigWriter {
    private static final String PLAIN_FIRST = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/_";
    private static final String PLAIN = PLAIN_FIRST + "0123456789-.@+,";

    private final StringBuilder yaml = new StringBuilder();

    private ConfigWriter() {}

    /**
     * The file.
     *
     * @param name of the pipeline, where the settings have none (those of {@code copy})
     */
    public static String toYaml(PipelineConfig config, String name, String sourceName, String sinkName) {
        PipelineConfig named = config.withName(config.name().orElse(name));
        return toYaml(List.of(new LoadedPipeline(named, sourceName, sinkName, List.of())));
    }

    /** Saves a pipeline as it was loaded. */
    public static String toYaml(LoadedPipeline loaded) {
        return toYaml(List.of(loaded));
    }

    /** One file with all of them. */
    public static String toYaml(List<LoadedPipeline> pipelines) {
        ConfigWriter writer = new ConfigWriter();
        writer.entries(0, ConfigTree.file(pipelines));
        return writer.yaml.toString();
    }

    private void entries(int depth, Section section) {
        for (Map.Entry<String, ConfigValue> entry : section.entries().entrySet()) {
            yaml.repeat("  ", depth).append(key(entry.getKey())).append(':');
            if (entry.getValue() instanceof Section inner && !inner.entries().isEmpty()) {
                yaml.append('\n');
                entries(depth + 1, inner);
            } else {
                yaml.append(' ').append(inline(entry.getValue())).append('\n');
            }
        }
    }

    private static String inline(ConfigValue value) {
        return switch (value) {
            case Text text -> isPlain(text.text()) ? text.text() : quoted(text.text());
            case Literal literal -> literal.text();
            case Items items ->
                items.values().stream().map(ConfigWriter::item).collect(Collectors.joining(", ", "[", "]"));
            case Section _ -> "{}";
        };
    }

    private static String item(ConfigValue value) {
        return value instanceof Text text ? quoted(text.text()) : inline(value);
    }

    /** Keys are not subject to the environment, so nothing is escaped for it. */
    private static String key(String key) {
        return isPlain(key) ? key : doubleQuoted(key);
    }

    private static String quoted(String value) {
        return doubleQuoted(value.replace("${", "$${"));
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || PLAIN_FIRST.indexOf(text.charAt(0)) < 0) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (PLAIN.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        // Words that YAML, or one of its versions, takes for something else than text.
        return !List.of("null", "true", "false", "yes", "no", "on", "off", "y", "n")
                .contains(text.toLowerCase(Locale.ROOT));
    }

    private static String doubleQuoted(String value) {
        StringBuilder text = new StringBuilder("\"");
        value.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\').append((char) c);
            } else if (c > 0xffff) {
                text.append("\\U%08x".formatted(c));
            } else if (c < ' ' || c >= 0x7f) {
                text.append("\\u%04x".formatted(c));
            } else {
                text.append((char) c);
            }
        });
        return text.append('"').toString();
    }
}
