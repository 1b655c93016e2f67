package dev.stet.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is captured from a record that fits the window. */
class CapturedFieldsTest {

    private static List<String> capture(String record, String... paths) {
        Framed framed = Framed.frame("{\"before\":0}" + record, paths);
        assertThat(framed.fault()).isEmpty();
        assertThat(framed.records()).hasSize(2);
        assertThat(framed.items().getFirst().fields())
                .extracting(Framed.Value::toString)
                .containsOnly("ABSENT");
        return framed.items().get(1).fields().stream()
                .map(Framed.Value::toString)
                .toList();
    }

    @Test
    void values_are_raw_slices() {
        String record =
                "{\"s\":\"x y\",\"e\":\"a\\/b\",\"n\":-1.50e2,\"t\":true,\"f\":false,\"z\":null,\"w\":NaN,\"i\":-Infinity,\"o\":{},\"p\":{\"q\":1},\"a\":[],\"b\":[1]}";
        assertThat(capture(record, "s", "e", "n", "t", "f", "z", "w", "i", "o", "p", "a", "b", "q"))
                .containsExactly(
                        "STRING x y",
                        "STRING a\\/b escaped",
                        "NUMBER -1.50e2",
                        "BOOLEAN true",
                        "BOOLEAN false",
                        "NULL null",
                        "BARE_WORD NaN",
                        "BARE_WORD -Infinity",
                        "OBJECT",
                        "OBJECT",
                        "ARRAY",
                        "ARRAY",
                        "ABSENT");
    }

    @Test
    void a_negative_number_after_a_negative_infinity_is_a_number() {
        assertThat(capture("{\"l\":[-Infinity],\"n\":-7}", "n")).containsExactly("NUMBER -7");
        assertThat(capture("{\"i\":-Infinity,\"n\":-7}", "i", "n")).containsExactly("BARE_WORD -Infinity", "NUMBER -7");
    }

    @Test
    void paths_walk_objects_only() {
        String record =
                "{\"a.b\":1,\"l\":[{\"b\":2}],\"x\":{\"a\":{\"b\":3}},\"A\":{\"b\":4},\"a\":{\"c\":{\"b\":5},\"b\":6,\"b2\":7}}";
        assertThat(capture(record, "a.b", "l.b", "a.c.b", "b", "a"))
                .containsExactly("NUMBER 6", "ABSENT", "NUMBER 5", "ABSENT", "OBJECT");
    }

    @Test
    void keys_are_compared_after_unescaping() {
        assertThat(capture("{\"\\u0074\\u00e9n\\/\":1,\"\\ud83d\\ude9a\":{\"\\n\":2}}", "t\u00e9n/", "\uD83D\uDE9A.\n"))
                .containsExactly("NUMBER 1", "NUMBER 2");
        assertThat(capture("{\"t\u00c3\u00a9n/\":1}", "t\u00e9n/")).containsExactly("NUMBER 1");
    }

    @Test
    void names_of_any_length_match_whole() {
        String name = "n".repeat(70);
        String record = "{\"" + name + "n\":1,\"" + name.substring(6) + "\":2,\"" + name
                + "\":3,\"\":4,\"12345678\":5,\"12345679\":6,\"123456789\":7}";
        assertThat(capture(record, name, "", "12345678", "123456789"))
                .containsExactly("NUMBER 3", "NUMBER 4", "NUMBER 5", "NUMBER 7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":\"x\\u0041\\/\\ud83d\\ude9a\",\"a\":\"xA/\u00f0\u009f\u009a\u009a\"}",
                "{\"a\":{\"b\":[1, 2]},\"a\":{ \"b\" :[1,2 ]}}",
                "{\"a\":[],\"a\":[ ],\"a\":[]}",
                "{\"a\":null,\"a\":null}",
                "{\"x\":{\"a\":1},\"x\":{\"a\":2}}",
                "{\"a\":1,\"x\":1,\"x\":2}"
            })
    void repeats_with_equal_values_or_off_the_paths_are_harmless(String record) {
        assertThat(capture(record, "a", "a.b")).noneMatch(value -> value.contains("conflicting"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"b\":1},\"a\":{\"b\":2}}",
                "{\"a\":{\"b\":1,\"b\":2}}",
                "{\"a\":{\"b\":1,\"\\u0062\":\"1\"}}",
                "{\"a\":{\"b\":1},\"a\":{\"b\":1,\"c\":1}}",
                "{\"a\":{\"b\":1},\"a\":null}",
                "{\"a\":null,\"a\":{\"b\":1}}",
                "{\"a\":{},\"a\":[]}",
                "{\"a\":{\"b\":1},\"a\":{\"b\":1.0}}",
                "{\"a\":{\"b\":\"x\"},\"a\":{\"b\":\"\\\"x\"}}",
                "{\"a\":{\"b\":\"x\"},\"a\":{\"b\":\"x\"},\"a\":{\"b\":\"y\"},\"a\":{\"b\":\"x\"}}"
            })
    void repeats_with_other_values_on_the_path_are_told(String record) {
        assertThat(capture(record, "a.b")).allMatch(value -> value.endsWith("conflicting"));
    }

    @Test
    void the_first_of_several_is_kept() {
        assertThat(capture("{\"a\":\"x\",\"a\":\"y\",\"b\":1}", "a", "b"))
                .containsExactly("STRING x conflicting", "NUMBER 1");
    }
}
