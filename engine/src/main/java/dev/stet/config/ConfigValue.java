package dev.stet.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The content of a configuration file, without its notation: what {@link ConfigFile} reads and {@link ConfigWriter} writes. Texts are taken as they are. */
public sealed interface ConfigValue {
    /** A text. */
    record Text(String text) implements ConfigValue {}

    /** A number or truth value, as it is written. */
    record Literal(String text) implements ConfigValue {}

    /** Values in their order. */
    record Items(List<ConfigValue> values) implements ConfigValue {
        public Items {
            values = List.copyOf(values);
        }

        public static Items ofTexts(List<String> texts) {
            return new Items(texts.stream().<ConfigValue>map(Text::new).toList());
        }
    }

    /** Values by key, in the order in which they were given. */
    record Section(Map<String, ConfigValue> entries) implements ConfigValue {
        public static final Section EMPTY = new Section(Map.of());

        public Section {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** With this value; one that the key had is replaced in its place. */
        public Section with(String key, ConfigValue value) {
            Map<String, ConfigValue> more = new LinkedHashMap<>(entries);
            more.put(key, value);
            return new Section(more);
        }

        public Section with(String key, String text) {
            return with(key, new Text(text));
        }

        public Section with(String key, long number) {
            return with(key, new Literal(Long.toString(number)));
        }

        public Section with(String key, boolean truth) {
            return with(key, new Literal(Boolean.toString(truth)));
        }

        public Section with(String key, List<String> texts) {
            return with(key, Items.ofTexts(texts));
        }

        /** The section under this key; an empty one where there is none. */
        public Section section(String key) {
            return entries.getOrDefault(key, EMPTY) instanceof Section section ? section : EMPTY;
        }
    }
}
