package dev.stet.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The cases of the rule book that are about routing, record by record. Framing and landing are tested on the whole engine. */
class RoutingCasesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08-invalid-utf8",
                "29-duplicate-keys",
                "30-dotted-keys",
                "31-escapes",
                "32-key-case",
                "33-precedence",
                "34-null-empty",
                "35-special-chars",
                "36-dot-segments",
                "37-unicode-and-case",
                "39-numbers",
                "40-long-ids",
                "41-nan",
                "42-epoch",
                "43-iso",
                "44-calendar-edges",
                "45-time-missing-or-bad"
            })
    void everyRecordOfTheCaseGoesWhereItIsExpected(String id) throws IOException {
        var router = new Router(new Settings().build());
        var actual = new ArrayList<String>();
        var expected = new ArrayList<String>();
        for (JsonNode item : load(id).get("records")) {
            byte[] record = Base64.getDecoder().decode(item.get("bytes_b64").stringValue());
            actual.add(Settings.text(router.route(RawRecord.of(record, router.paths()))));
            boolean copied = item.get("outcome").stringValue().equals("copied");
            expected.add(
                    copied
                            ? item.get("path").stringValue()
                            : "!" + item.get("reason").stringValue() + "/");
        }
        assertThat(actual.stream().map(path -> path + "/")).isNotEmpty().containsExactlyElementsOf(expected);
    }

    private static JsonNode load(String id) throws IOException {
        try (InputStream in = RoutingCasesTest.class.getResourceAsStream("/cases/expected/open-" + id + ".json")) {
            return JSON.readTree(in);
        }
    }
}
