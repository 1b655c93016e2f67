package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records of a source as the tests make them, and what of them must lie in the sink: the lines, in the order of their text. */
final class Lines {
    private final List<String> truth = new ArrayList<>();

    /** The content of an object of so many records, of three tenants and two days; the truth learns of them. */
    byte[] object(String name, int records) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < records; i++) {
            String record =
                    "{\"event_type\":\"e\",\"tenant_id\":\"t%d\",\"time\":\"2021-10-%02dT00:00:00Z\",\"of\":\"%s\",\"i\":%d}"
                            .formatted(i % 3, 1 + (i + name.length()) % 2, name, i);
            truth.add(record);
            text.append(record);
        }
        return text.toString().getBytes(UTF_8);
    }

    /** The content of an object that no one will find in the sink. */
    byte[] untold(String name, int records) {
        return new Lines().object(name, records);
    }

    /** As the sink must hold them. */
    List<String> truth() {
        return truth.stream().sorted().toList();
    }

    /** As the sink holds them, what was set aside left out. @param objects by key */
    static List<String> of(Map<String, byte[]> objects) {
        return objects.entrySet().stream()
                .filter(e -> !e.getKey().startsWith("_quarantine/"))
                .flatMap(e -> new String(e.getValue(), ISO_8859_1).lines())
                .sorted()
                .toList();
    }
}
