package dev.stet.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spans that outgrow the window, and the memory and time framing takes at its worst. */
class LongSpanTest {
    /** A record of more than 100 bytes comes in pieces; values of up to 40 bytes are kept. */
    private static final Limits SMALL = new Limits(16, 64, 100, 40, 3);

    private static final String FILL = "\"fill\":\"" + "f".repeat(150) + "\"";

    private static Framed frame(String source, String... paths) {
        Framed framed = Framed.frame(
                new JsonFramer(new FieldPaths(List.of(paths)), Optional.empty(), SMALL),
                paths.length,
                Framed.latin1(source));
        assertThat(framed.fault()).isEmpty();
        return framed;
    }

    private static List<String> values(String record, String... paths) {
        Framed framed = frame("{\"a\":\"before\"}" + record + "{\"a\":\"after\"}", paths);
        assertThat(framed.records()).hasSize(3);
        assertThat(framed.items().get(1).inPieces()).isTrue();
        assertThat(framed.items().get(1).text()).isEqualTo(record);
        return framed.items().get(1).fields().stream()
                .map(Framed.Value::toString)
                .toList();
    }

    private static String sized(int size) {
        return "{\"a\":\"" + "x".repeat(size - 8) + "\"}";
    }

    @Test
    void a_span_comes_in_pieces_only_beyond_the_limit() {
        assertThat(frame(sized(100) + sized(101)).items())
                .extracting(Framed.Item::inPieces)
                .containsExactly(false, true);
    }

    @Test
    void values_are_kept_wherever_they_stand() {
        String record = "{\"a\":\"fi\\u0072st\",\"n\":-12.5," + FILL + ",\"o\":{\"in\":{\"x\":true}},"
                + FILL.replace("fill", "fil2") + ",\"z\":null,\"l\":[1]}";
        assertThat(values(record, "a", "n", "o.in.x", "o.in", "z", "l", "q"))
                .containsExactly(
                        "STRING fi\\u0072st escaped",
                        "NUMBER -12.5",
                        "BOOLEAN true",
                        "OBJECT",
                        "NULL null",
                        "ARRAY",
                        "ABSENT");
    }

    @Test
    void a_value_is_never_torn_wherever_the_window_ends() {
        for (int fill = 0; fill < 160; fill++) {
            String record = "{\"f\":\"" + "f".repeat(fill)
                    + "\",\"t\\u0065nant\":\"0123456789\\n0123456789\",\"b\":-0.12345e+10,\"w\":false," + FILL + "}";
            assertThat(values(record, "tenant", "b", "w"))
                    .containsExactly("STRING 0123456789\\n0123456789 escaped", "NUMBER -0.12345e+10", "BOOLEAN false");
        }
    }

    @Test
    void a_value_too_long_to_keep_becomes_one_that_no_route_accepts() {
        String longer = "2024-01-01T00:00:00." + "0".repeat(200) + "Z";
        String digits = "1700000000." + "0".repeat(200);
        List<String> values = values("{\"s\":\"" + longer + "\",\"n\":" + digits + "}", "s", "n");
        assertThat(values).containsExactly("STRING " + "x".repeat(4096), "NUMBER " + "9".repeat(4096));
        assertThat(values("{\"s\":\"" + "s".repeat(41) + "\"," + FILL + "}", "s"))
                .containsExactly("STRING " + "x".repeat(4096));
        assertThat(values("{\"s\":\"" + "s".repeat(40) + "\"," + FILL + "}", "s"))
                .containsExactly("STRING " + "s".repeat(40));
    }

    @Test
    void repeats_are_compared_while_they_can_be() {
        assertThat(values("{\"a\":\"x\"," + FILL + ",\"a\":\"\\u0078\"}", "a")).containsExactly("STRING x");
        assertThat(values("{\"a\":\"x\"," + FILL + ",\"a\":\"y\"}", "a")).containsExactly("STRING x conflicting");
        assertThat(values("{\"a\":\"x\",\"a\":\"y\"," + FILL + "}", "a")).containsExactly("STRING x conflicting");
        assertThat(values("{\"a\":1," + FILL + ",\"a\":\"1\"}", "a")).containsExactly("NUMBER 1 conflicting");
    }

    @Test
    void repeats_that_cannot_be_compared_count_as_different() {
        assertThat(values("{\"a\":{\"b\":1}," + FILL + ",\"a\":{\"b\":1}}", "a.b"))
                .containsExactly("NUMBER 1 conflicting");
        String big = "\"a\":\"" + "x".repeat(150) + "\"";
        assertThat(values("{" + big + "," + big + "}", "a"))
                .singleElement()
                .asString()
                .endsWith("conflicting");
    }

    @Test
    void a_key_longer_than_the_window_matches_nothing() {
        assertThat(values("{\"" + "k".repeat(300) + "\":1,\"a\":2}", "a")).containsExactly("NUMBER 2");
    }

    @Test
    void a_broken_one_is_left_behind_the_fault() {
        assertThat(frame("{" + FILL + "\n{\"inside\":1},x\n{\"good\":1}").lines())
                .containsExactly(
                        "invalid_json {" + FILL, "record {\"inside\":1}", "invalid_json ,x", "record {\"good\":1}");
        assertThat(frame("{" + FILL + ",\n\"b\":[\n{\"inside\":1}\n{\"good\":1}")
                        .lines())
                .containsExactly("invalid_json {" + FILL + ",\n\"b\":[\n{\"inside\":1}", "record {\"good\":1}");
        assertThat(frame("{" + FILL + ",\n{\"a\":").lines())
                .containsExactly("invalid_json {" + FILL + ",", "truncated_record {\"a\":");
        assertThat(frame("{" + FILL + ",\"c\":").lines()).containsExactly("truncated_record {" + FILL + ",\"c\":");
    }

    @Test
    void other_long_spans_are_set_aside_in_pieces() {
        String text = "\"" + "t".repeat(300) + "\"";
        String list = "[" + "1,".repeat(200) + "1]";
        String garbage = "x".repeat(300);
        assertThat(frame(text + "[" + list + "]" + "\0".repeat(300) + "9".repeat(300) + "\n" + garbage)
                        .items())
                .extracting(item -> item.reason().orElseThrow().wireName() + " "
                        + item.text().length() + " " + item.inPieces())
                .containsExactly(
                        "not_an_object 302 true",
                        "not_an_object 403 true",
                        "nul_padding 300 true",
                        "not_an_object 300 true",
                        "invalid_json 300 true");
    }

    @Test
    void framing_of_any_length_is_no_span() {
        String space = " \n\t".repeat(100) + "\u00EF\u00BB\u00BF".repeat(70);
        assertThat(frame(space + "[" + space + "{}" + space + "," + space + "{}" + space + "]" + space)
                        .lines())
                .containsExactly("record {}", "record {}");
    }

    @Test
    void an_envelope_too_long_to_hold_back_is_kept_and_its_elements_copied() {
        JsonFramer framer = new JsonFramer(new FieldPaths(List.of()), Optional.of("r"), SMALL);
        Framed framed = Framed.frame(
                framer,
                0,
                Framed.latin1(
                        "{" + FILL + ",\"r\":[{\"k\":1}],\"q\":1}{\"r\":[{\"k\":2}]," + FILL + "}{\"r\":[{\"k\":3}]}"));
        assertThat(framed.fault()).isEmpty();
        assertThat(framed.records()).containsExactly("{\"k\":1}", "{\"k\":2}", "{\"k\":3}");
        assertThat(framed.items())
                .extracting(item -> item.reason().map(Reason::wireName).orElse("record"))
                .containsExactly("missing_namespace", "record", "record", "missing_namespace", "record");
    }

    // --- memory ---

    /** Frames a record with {@code head + unit * times + tail} as a value, and a small record; neither source nor record is ever in memory whole. */
    private static void assertHugePasses(String head, String unit, long times, String tail) throws IOException {
        byte[] before = Framed.latin1("{\"first\":0,\"a\":" + head);
        byte[] after = Framed.latin1(tail + ",\"k\":7}\n{\"k\":8}");
        InputStream in = new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream(before),
                new Repeated(Framed.latin1(unit), times),
                new ByteArrayInputStream(after))));
        JsonFramer framer = new JsonFramer(new FieldPaths(List.of("k", "first", "a")), Optional.empty());
        Tally tally = new Tally();

        Framer.FramedBytes bytes = framer.frame(in, tally);

        assertThat(bytes)
                .isEqualTo(new Framer.FramedBytes(2, before.length + unit.length() * times + after.length - 1, 1, 0));
        assertThat(tally.values).containsExactly("7", "8");
        assertThat(tally.largestBuffer).isLessThan(21 << 20);
        assertThat(framer.scanned()).isLessThanOrEqualTo(bytes.total());
        assertThat(framer.windowCapacity()).as("given back").isLessThan(2 << 20);
    }

    @Test
    void a_string_of_120_MiB_passes() throws IOException {
        assertHugePasses("\"", "0123456789abcd\\n", (120 << 20) / 16, "\"");
    }

    @Test
    void a_number_of_40_MiB_passes() throws IOException {
        assertHugePasses("1", "0", 40 << 20, "");
    }

    @Test
    void a_list_of_120_MiB_passes() throws IOException {
        assertHugePasses("[0", ",{\"xyz\":[1.5]}", (120 << 20) / 14, "]");
    }

    @Test
    void ten_million_levels_pass() throws IOException {
        assertHugePasses("[".repeat(10_000_000), "", 0, "]".repeat(10_000_000));
    }

    /** The same bytes again and again. */
    private static final class Repeated extends InputStream {
        private final byte[] unit;
        private long left;

        Repeated(byte[] unit, long times) {
            this.unit = unit;
            this.left = unit.length * times;
        }

        @Override
        public int read() {
            return left == 0 ? -1 : unit[(int) (-left-- % unit.length + unit.length) % unit.length];
        }

        @Override
        public int read(byte[] to, int from, int length) {
            int n = (int) Math.min(left, length);
            for (int i = 0; i < n; i++) {
                to[from + i] = (byte) read();
            }
            return n == 0 ? -1 : n;
        }
    }

    /** Keeps the first field of each record, and nothing else. */
    private static final class Tally implements RecordHandler {
        final List<String> values = new ArrayList<>();
        int largestBuffer;

        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {
            endLongRecord(multiLine, fields);
        }

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {
            values.add(reason.wireName());
        }

        @Override
        public void beginLong(long offset) {}

        @Override
        public void continueLong(byte[] buffer, int from, int to) {
            largestBuffer = Math.max(largestBuffer, buffer.length);
        }

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {
            values.add(new String(
                    fields.bytes(0), fields.from(0), fields.to(0) - fields.from(0), StandardCharsets.ISO_8859_1));
        }

        @Override
        public void endLongSetAside(Reason reason) {
            values.add(reason.wireName());
        }
    }

    // --- time, in bytes looked at ---

    private static void assertLinear(String source, int most, String... paths) {
        JsonFramer framer = new JsonFramer(new FieldPaths(List.of(paths)), Optional.empty());
        Framed framed = Framed.frame(framer, paths.length, Framed.latin1(source));
        assertThat(framed.fault()).isEmpty();
        assertThat(framer.scanned()).isLessThanOrEqualTo((long) most * source.length());
    }

    @Test
    void no_input_is_looked_at_more_than_a_fixed_number_of_times() {
        int most = Limits.DEFAULT.restarts() + 3;
        assertLinear("{\"a\":\n".repeat(40_000), most);
        assertLinear("\n{".repeat(200_000), most);
        assertLinear("{\n".repeat(200_000), most);
        assertLinear(("{\"a\":\n".repeat(100) + "x\n").repeat(300), most);
        assertLinear("{\"a\":[\n{\"b\":\"never closed\n".repeat(10_000), most);
        assertLinear("{\"a\":\"never closed ".repeat(20_000), most);
        assertLinear("[".repeat(300_000), most);
        assertLinear("[\n{\"a\":".repeat(50_000), most);
        assertLinear("{\"a\":[" + "{\"b\":1},\n".repeat(30_000) + "x", most);
        assertLinear("{\"a\":[" + "\n{\"b\":1},".repeat(30_000) + "x", most);
        assertLinear("\0 \n".repeat(50_000), 2);
        assertLinear("x\n".repeat(100_000), 2);
    }

    @Test
    void repeats_are_compared_in_time_that_grows_with_their_length() {
        assertLinear("{\"a\":{" + " ".repeat(100_000) + "}" + ",\"a\":{}".repeat(20_000) + "}", 6, "a.b");
        assertLinear(
                "{\"a\":{\"b\":\"" + "x".repeat(100_000) + "\"}" + ",\"a\":{\"b\":\"x\"}".repeat(20_000) + "}",
                6,
                "a.b");
        assertLinear("{\"k\":1" + ",\"a\":{\"b\":{\"c\":1}}".repeat(20_000) + "}", 8, "a.b.c");
    }
}
