package dev.stet.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule book's framing rules, one by one. */
class JsonFramerTest {

    private static Framed frame(String source, String... paths) {
        Framed framed = Framed.frame(source, paths);
        assertThat(framed.fault()).isEmpty();
        return framed;
    }

    private static Framed unwrap(String path, String source) {
        Framed framed =
                Framed.frame(new JsonFramer(new FieldPaths(List.of("k")), Optional.of(path)), 1, Framed.latin1(source));
        assertThat(framed.fault()).isEmpty();
        return framed;
    }

    @Nested
    class Between_records {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "\n",
                    "\r\n",
                    " ",
                    "\t",
                    "\n\n \n",
                    "\u00EF\u00BB\u00BF",
                    "\n\u00EF\u00BB\u00BF",
                    "                  \n"
                })
        void white_space_byte_order_marks_or_nothing_are_framing(String between) {
            Framed framed = frame(between + "{\"a\":1}" + between + "{\"b\":2}" + between);

            assertThat(framed.lines()).containsExactly("record {\"a\":1}", "record {\"b\":2}");
            assertThat(framed.framing()).isEqualTo(between.repeat(3));
        }

        @Test
        void an_empty_source_has_nothing() {
            assertThat(frame("").items()).isEmpty();
        }

        @Test
        void offsets_count_from_the_start_of_the_source() {
            assertThat(frame(" {} \n[{}]").items())
                    .extracting(Framed.Item::offset)
                    .containsExactly(1L, 6L);
        }

        @Test
        void a_byte_order_mark_inside_a_string_is_data() {
            String record = "{\"s\":\"\u00EF\u00BB\u00BFkeep\"}";
            assertThat(frame(record).records()).containsExactly(record);
        }

        @Test
        void a_cut_byte_order_mark_is_set_aside() {
            assertThat(frame("\u00EF\u00BB\n{}").lines()).containsExactly("invalid_json \u00EF\u00BB", "record {}");
            assertThat(frame("{}\u00EF").lines()).containsExactly("record {}", "invalid_json \u00EF");
        }

        @Test
        void nul_padding_is_set_aside_and_the_record_after_it_copied() {
            assertThat(frame("{}\n\0\0\0\0\0\0\0\0\0\0{\"a\":1}\0\0").lines())
                    .containsExactly(
                            "record {}", "nul_padding " + "\0".repeat(10), "record {\"a\":1}", "nul_padding \0\0");
        }

        @Test
        void nul_padding_stands_between_elements_too() {
            assertThat(frame("[{},\0\0{}\0]").lines())
                    .containsExactly("record {}", "nul_padding \0\0", "record {}", "nul_padding \0");
        }

        @Test
        void the_two_characters_backslash_n_are_no_separator() {
            assertThat(frame("{\"a\":1}\\n{\"a\":2}\n{\"a\":3}").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json \\n{\"a\":2}", "record {\"a\":3}");
        }
    }

    @Nested
    class Other_encodings {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\u00FF\u00FE{\0}\0",
                    "\u00FE\u00FF\0{\0}",
                    "\u00FF\u00FE\0\0{\0\0\0",
                    "\0\0\u00FE\u00FF\0\0\0{",
                    "{\0}\0",
                    "\0{\0}",
                    "\u00FF\u00FE"
                })
        void set_the_whole_object_aside(String source) {
            JsonFramer framer = new JsonFramer(new FieldPaths(List.of()), Optional.empty());
            ByteArrayInputStream in = new ByteArrayInputStream(Framed.latin1(source));
            assertThatThrownBy(() -> framer.frame(in, new NoHandler()))
                    .isInstanceOfSatisfying(
                            WholeObjectException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED_ENCODING));
        }

        @ParameterizedTest
        @ValueSource(strings = {"\0\0\0\0", "{}\0\0", "\0\0\0{}", "\0{}\0", "\u00FF{}"})
        void are_not_seen_in_padding_or_garbage(String source) {
            frame(source);
        }
    }

    @Nested
    class Values_that_are_no_objects {
        @Test
        void are_set_aside_one_by_one() {
            assertThat(frame("\"text\" 17 null\n-0.5e3 true\nNaN -Infinity\n\"a\"\"b\"{}")
                            .lines())
                    .containsExactly(
                            "not_an_object \"text\"",
                            "not_an_object 17",
                            "not_an_object null",
                            "not_an_object -0.5e3",
                            "not_an_object true",
                            "not_an_object NaN",
                            "not_an_object -Infinity",
                            "not_an_object \"a\"",
                            "not_an_object \"b\"",
                            "record {}");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"01", "truex", "1.2.3", "-", "1.", "1e", "nul", "--1", "+1", ".5", "1-", "hello", "tru"})
        void are_invalid_when_the_word_is_none(String word) {
            assertThat(frame(word + " {\"x\":1}\n{}").lines())
                    .containsExactly("invalid_json " + word + " {\"x\":1}", "record {}");
        }

        @Test
        void may_touch_a_record() {
            assertThat(frame("17{}").lines()).containsExactly("not_an_object 17", "record {}");
        }
    }

    @Nested
    class Top_level_arrays {
        @Test
        void give_each_object_element_as_a_record() {
            Framed framed = frame("[\n {\"a\":[1]} ,{}\n]{\"b\":2}[ ] []");
            assertThat(framed.lines()).containsExactly("record {\"a\":[1]}", "record {}", "record {\"b\":2}");
        }

        @Test
        void set_other_elements_aside() {
            assertThat(frame("[null,{},[{\"inner\":1}],[],\"s\",1]").lines())
                    .containsExactly(
                            "not_an_object null",
                            "record {}",
                            "not_an_object [{\"inner\":1}]",
                            "not_an_object []",
                            "not_an_object \"s\"",
                            "not_an_object 1");
        }

        @Test
        void that_are_never_closed_keep_their_whole_elements() {
            assertThat(frame("[{\"a\":1},\n{\"a\":2},\n{\"a\":").lines())
                    .containsExactly("record {\"a\":1}", "record {\"a\":2}", "truncated_record {\"a\":");
            assertThat(frame("[{\"a\":1}").lines()).containsExactly("record {\"a\":1}");
            assertThat(frame("[{\"a\":1},").lines()).containsExactly("record {\"a\":1}");
            assertThat(frame("[").lines()).isEmpty();
        }

        @Test
        void are_over_after_a_fault() {
            assertThat(frame("[{\"a\":1},\n{\"a\":x},\n{\"a\":3},\n{\"a\":4}]").lines())
                    .containsExactly(
                            "record {\"a\":1}",
                            "invalid_json {\"a\":x},",
                            "record {\"a\":3}",
                            "invalid_json ,",
                            "record {\"a\":4}",
                            "invalid_json ]");
        }

        @Test
        void lose_nothing_where_a_comma_is_missing_between_lines() {
            assertThat(frame("[{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n]").lines())
                    .containsExactly("record {\"a\":1}", "record {\"a\":2}", "record {\"a\":3}", "invalid_json ]");
        }

        @Test
        void are_set_aside_from_the_last_whole_element_where_a_comma_is_missing_in_a_line() {
            assertThat(frame("[{\"a\":1} {\"a\":2},\n{\"a\":3}]").lines())
                    .containsExactly(
                            "record {\"a\":1}", "invalid_json {\"a\":2},", "record {\"a\":3}", "invalid_json ]");
        }

        @Test
        void may_not_hold_stray_commas() {
            assertThat(frame("[{\"a\":1},]\n{}").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json ]", "record {}");
            assertThat(frame("[,{\"a\":1}]\n{}").lines()).containsExactly("invalid_json ,{\"a\":1}]", "record {}");
            assertThat(frame("[{\"a\":1},,{\"a\":2}]\n{}").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json ,{\"a\":2}]", "record {}");
        }

        @Test
        void keep_the_good_line_after_them() {
            assertThat(frame("[\"x\"\n{\"good\":1}").lines())
                    .containsExactly("not_an_object \"x\"", "record {\"good\":1}");
            assertThat(frame("[1,\n{\"good\":1}").lines()).containsExactly("not_an_object 1", "record {\"good\":1}");
            assertThat(frame("[[[[\n{\"good\":1}").lines()).containsExactly("invalid_json [[[", "record {\"good\":1}");
        }
    }

    @Nested
    class After_a_fault {
        @Test
        void the_broken_line_is_set_aside_and_its_neighbours_are_copied() {
            assertThat(frame("{\"a\":1}\n{\"a\":\n{\"a\":2}\n{\"a\":\"never closed}\n{\"a\":3}\n{'a':4}\n{\"a\":5}\n")
                            .lines())
                    .containsExactly(
                            "record {\"a\":1}",
                            "invalid_json {\"a\":",
                            "record {\"a\":2}",
                            "invalid_json {\"a\":\"never closed}",
                            "record {\"a\":3}",
                            "invalid_json {'a':4}",
                            "record {\"a\":5}");
        }

        @Test
        void indented_inner_objects_are_no_records() {
            assertThat(frame("{\n  \"a\": {\n    \"b\": 1\n  },\n  {\"c\": 2},\n  x\n}\n{\"good\":1}")
                            .lines())
                    .containsExactly(
                            "invalid_json {\n  \"a\": {\n    \"b\": 1\n  },\n  {\"c\": 2},\n  x\n}",
                            "record {\"good\":1}");
        }

        @Test
        void the_last_record_is_truncated_if_the_source_ends_inside() {
            assertThat(frame("{\"a\":1}\n{\"a\":\"cu").lines())
                    .containsExactly("record {\"a\":1}", "truncated_record {\"a\":\"cu");
            assertThat(frame("{\"a\":tr").lines()).containsExactly("truncated_record {\"a\":tr");
            assertThat(frame("{\"a\":-").lines()).containsExactly("truncated_record {\"a\":-");
            assertThat(frame("{\"a\":1").lines()).containsExactly("truncated_record {\"a\":1");
            assertThat(frame("\"\\u00").lines()).containsExactly("truncated_record \"\\u00");
        }

        @Test
        void whole_records_inside_what_looked_like_a_cut_one_are_copied() {
            assertThat(frame("{\"a\":1}\n{\"a\":1,\"reading\":\n{\"a\":2}\n").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json {\"a\":1,\"reading\":", "record {\"a\":2}");
        }

        @Test
        void what_follows_up_to_the_end_is_invalid_where_no_line_starts_with_an_object() {
            assertThat(frame("{\"a\":1}}\n [{\"a\":2}]\n").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json }\n [{\"a\":2}]");
        }

        @Test
        void a_lone_comma_between_lines_costs_no_record() {
            assertThat(frame("{\"a\":1},\n{\"a\":2},\n").lines())
                    .containsExactly("record {\"a\":1}", "invalid_json ,", "record {\"a\":2}", "invalid_json ,");
        }
    }

    @Nested
    class Inside_a_record {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{}",
                    "{ }",
                    "{\"a\":[]}",
                    "{\"a\" : [ ] , \"b\":{ \r\t} }",
                    "{\"a\":[[[{}]],{\"b\":[1,-2,3.5,1e5,1E-7,-0,0.0,1.5e+10,12345678901234567890]}]}",
                    "{\"\":\"\",\"\\u0000\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\uABCD\\uabcd\\ud800\"}",
                    "{\"a\":true,\"b\":false,\"c\":null,\"d\":NaN,\"e\":[Infinity,-Infinity]}",
                    "{\"a\":\"\u007F\u0080\u00FF bytes of any kind\"}",
                    "{\"a\":1,\"a\":2}"
                })
        void valid_json_is_taken(String record) {
            assertThat(frame(record + record + "\n" + record).records()).containsExactly(record, record, record);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"a\":1,}",
                    "{,}",
                    "{\"a\"}",
                    "{\"a\":}",
                    "{\"a\" 1}",
                    "{\"a\"::1}",
                    "{\"a\":1 \"b\":2}",
                    "{a:1}",
                    "{\"a\":[1,]}",
                    "{\"a\":[,1]}",
                    "{\"a\":[1 2]}",
                    "{\"a\":[1}]",
                    "{\"a\":{1]}",
                    "{\"a\":01}",
                    "{\"a\":-01}",
                    "{\"a\":1.}",
                    "{\"a\":.5}",
                    "{\"a\":1.e5}",
                    "{\"a\":1e}",
                    "{\"a\":1e+}",
                    "{\"a\":1e5.5}",
                    "{\"a\":-}",
                    "{\"a\":+1}",
                    "{\"a\":--1}",
                    "{\"a\":1a}",
                    "{\"a\":0x1}",
                    "{\"a\":True}",
                    "{\"a\":tru}",
                    "{\"a\":truee}",
                    "{\"a\":nulL}",
                    "{\"a\":nan}",
                    "{\"a\":-NaN}",
                    "{\"a\":Infinit}",
                    "{\"a\":\"\\x\"}",
                    "{\"a\":\"\\u12G4\"}",
                    "{\"a\":\"\\u123\"}",
                    "{\"a\":\"\t\"}",
                    "{\"a\":\"\0\"}",
                    "{\"a\":\"\u001F\"}",
                    "{\"a\":1\0}",
                    "{\"a\0\":1}",
                    "{\"a\":1\u000B}",
                    "{\"a\":\u00A01}",
                    "{\"a\":/*c*/1}",
                    "{\"a\":'b'}"
                })
        void anything_else_is_invalid(String record) {
            assertThat(frame(record + "\n{\"good\":1}").lines())
                    .containsExactly("invalid_json " + record, "record {\"good\":1}");
        }

        @Test
        void a_raw_line_feed_makes_it_multi_line() {
            assertThat(frame("{\"a\":1}\n{\n}\n{\"a\":\n1}\n{\"a\"\n:1}{\"a\":1\n}{\"\\n\":\r1}")
                            .items())
                    .extracting(Framed.Item::multiLine)
                    .containsExactly(false, true, true, true, true, false);
        }

        @Test
        void nesting_is_no_matter() {
            String deep = "{\"d\":" + "[".repeat(90_000) + "]".repeat(90_000) + "}";
            String mixed =
                    "{\"d\":".repeat(5_000) + "[{\"e\":".repeat(5_000) + "1" + "}]".repeat(5_000) + "}".repeat(5_000);
            assertThat(frame(deep + mixed + "{\"a\":1}").records()).containsExactly(deep, mixed, "{\"a\":1}");
        }
    }

    @Nested
    class Envelopes {
        @Test
        void stay_whole_unless_asked_for() {
            String envelope = "{\"Records\":[{\"k\":1}]}";
            assertThat(frame(envelope).records()).containsExactly(envelope);
        }

        @Test
        void give_the_elements_of_their_list() {
            Framed framed = unwrap(
                    "Records",
                    "{\"x\":[{}],\"Records\":[{\"k\":1},\n{\"k\":2}],\"y\":1}\n{\"Records\":[]}{\"Records\":[ {\"k\":3} ] }");
            assertThat(framed.records()).containsExactly("{\"k\":1}", "{\"k\":2}", "{\"k\":3}");
            assertThat(framed.items()).hasSize(3);
            assertThat(framed.items().get(1).fields())
                    .extracting(Framed.Value::text)
                    .containsExactly("2");
        }

        @Test
        void may_hold_the_list_further_in() {
            assertThat(unwrap("a.b", "{\"a\":{\"z\":0,\"b\":[{\"k\":1},7],\"c\":[{}]},\"b\":[{}]}")
                            .lines())
                    .containsExactly("record {\"k\":1}", "not_an_object 7");
        }

        @Test
        void may_be_elements_of_a_top_level_array() {
            assertThat(unwrap("r", "[{\"r\":[{\"k\":1}]},{\"r\":[{\"k\":2}]},3]")
                            .lines())
                    .containsExactly("record {\"k\":1}", "record {\"k\":2}", "not_an_object 3");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{}",
                    "{\"k\":1}",
                    "{\"Records\":{\"k\":1}}",
                    "{\"Records\":null}",
                    "{\"x\":{\"Records\":[{}]}}",
                    "{\"x\":[{\"Records\":[{}]}]}"
                })
        void without_the_list_are_kept_as_what_they_are(String envelope) {
            assertThat(unwrap("Records", envelope + "\n{\"Records\":[{\"k\":1}]}")
                            .lines())
                    .containsExactly("missing_namespace " + envelope, "record {\"k\":1}");
        }

        @Test
        void that_are_broken_keep_the_elements_before() {
            assertThat(unwrap("r", "{\"r\":[{\"k\":1},{\"k\":x}]}\n{\"r\":[{\"k\":2}]}")
                            .lines())
                    .containsExactly("record {\"k\":1}", "invalid_json {\"k\":x}]}", "record {\"k\":2}");
            assertThat(unwrap("r", "{\"r\":[{\"k\":1}],x}\n{\"r\":[{\"k\":2}]}").lines())
                    .containsExactly("record {\"k\":1}", "invalid_json ,x}", "record {\"k\":2}");
            assertThat(unwrap("r", "{\"q\":x,\"r\":[{\"k\":1}]}\n{\"r\":[{\"k\":2}]}")
                            .lines())
                    .containsExactly("invalid_json {\"q\":x,\"r\":[{\"k\":1}]}", "record {\"k\":2}");
            assertThat(unwrap("r", "{\"r\":[{\"k\":1}").lines()).containsExactly("record {\"k\":1}");
            assertThat(unwrap("r", "{\"r\":[{\"k\":1}],\"tail\":").lines())
                    .containsExactly("record {\"k\":1}", "truncated_record ,\"tail\":");
        }
    }

    private static final class NoHandler implements RecordHandler {
        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {}

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {}

        @Override
        public void beginLong(long offset) {}

        @Override
        public void continueLong(byte[] buffer, int from, int to) {}

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {}

        @Override
        public void endLongSetAside(Reason reason) {}
    }
}
