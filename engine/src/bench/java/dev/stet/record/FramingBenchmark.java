package dev.stet.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Framing with capture of routed fields, against the least work Jackson's streaming parser can do on the same bytes: going over every token. Records
 * of about 1 KB and of four types. One operation is 8 MiB.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FramingBenchmark {
    private static final int SIZE = 8 << 20;

    @Param({"newline", "none"})
    public String delimiter = "newline";

    private byte[] source = {};
    private final JsonFactory jackson = new JsonFactory();
    private final CountingHandler handler = new CountingHandler();
    private final JsonFramer framer = new JsonFramer(
            new FieldPaths(List.of("event_type", "detail.tenant_id", "truck.tenant_id", "tenant_id", "time", "date")),
            Optional.empty());

    @Setup
    public void generate() throws IOException {
        source = records(SIZE, delimiter.equals("newline") ? "\n" : "");
    }

    @Benchmark
    public long stet() throws IOException {
        return framer.frame(new ByteArrayInputStream(source), handler).recordCount();
    }

    @Benchmark
    public long jackson() {
        long tokens = 0;
        try (JsonParser parser = jackson.createParser(ObjectReadContext.empty(), source)) {
            while (parser.nextToken() != null) {
                tokens++;
            }
        }
        return tokens;
    }

    static byte[] records(int size, String delimiter) throws IOException {
        Random random = new Random(42);
        ByteArrayOutputStream out = new ByteArrayOutputStream(size + 4096);
        while (out.size() < size) {
            out.write((record(random) + delimiter).getBytes(UTF_8));
        }
        return out.toByteArray();
    }

    private static String record(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> login(random);
            case 1 -> reading(random);
            case 2 -> order(random);
            default -> page(random);
        };
    }

    private static String head(String type, Random random) {
        return "\"id\":\"%s\",\"event_type\":\"%s\",\"time\":\"2024-%02d-%02dT%02d:%02d:%02d.%03dZ\",\"source\":\"gateway-%d\",\"version\":%d"
                .formatted(
                        hex(32, random),
                        type,
                        1 + random.nextInt(12),
                        1 + random.nextInt(28),
                        random.nextInt(24),
                        random.nextInt(60),
                        random.nextInt(60),
                        random.nextInt(1000),
                        random.nextInt(20),
                        random.nextInt(5));
    }

    private static String login(Random random) {
        return "{" + head("user.login", random) + ",\"detail\":{\"tenant_id\":\"t-" + random.nextInt(12_000)
                + "\",\"user\":{\"id\":"
                + random.nextInt(1_000_000) + ",\"name\":\"" + words(2, random)
                + "\",\"roles\":[\"reader\",\"writer\"],\"mfa\":"
                + random.nextBoolean()
                + "},\"agent\":\"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/"
                + random.nextInt(200) + ".0 Safari/537.36\",\"ip\":\"10." + random.nextInt(256) + "."
                + random.nextInt(256)
                + ".7\",\"location\":{\"lat\":" + random.nextDouble() * 90 + ",\"lon\":" + random.nextDouble() * 180
                + ",\"city\":\"M\u00fcnchen\"},\"session\":null,\"note\":\"" + words(40, random)
                + "\"},\"trace\":{\"id\":\"" + hex(32, random)
                + "\",\"span\":\"" + hex(16, random) + "\",\"sampled\":false}}";
    }

    private static String reading(Random random) {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < 25; i++) {
            values.append(i == 0 ? "" : ",")
                    .append("{\"t\":")
                    .append(1_700_000_000_000L + random.nextInt(1_000_000))
                    .append(",\"v\":")
                    .append(Math.round(random.nextDouble() * 1e5) / 1e3)
                    .append('}');
        }
        return "{" + head("meter.reading", random) + ",\"truck\":{\"tenant_id\":\"t-" + random.nextInt(12_000)
                + "\",\"plate\":\"M-AB " + random.nextInt(9999) + "\"},\"values\":[" + values + "],\"ok\":true}";
    }

    private static String order(Random random) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            lines.append(i == 0 ? "" : ",")
                    .append(
                            "{\"sku\":\"SKU-%06d\",\"title\":\"%s\",\"quantity\":%d,\"price\":{\"amount\":%d.%02d,\"currency\":\"EUR\"},\"gift\":%b}"
                                    .formatted(
                                            random.nextInt(1_000_000),
                                            words(3, random),
                                            random.nextInt(9),
                                            random.nextInt(900),
                                            random.nextInt(100),
                                            random.nextBoolean()));
        }
        return "{" + head("order.placed", random) + ",\"tenant_id\":\"t-" + random.nextInt(12_000) + "\",\"lines\":["
                + lines + "],\"coupon\":null}";
    }

    private static String page(Random random) {
        return "{" + head("page.view", random) + ",\"tenant_id\":" + random.nextInt(12_000)
                + ",\"url\":\"https:\\/\\/shop.example\\/" + words(3, random)
                + "?q=" + hex(12, random) + "\",\"referrer\":\"https://search.example/?q=" + words(4, random)
                + "\",\"text\":\"" + words(60, random)
                + " \\\"" + words(4, random) + "\\\"\\n" + words(20, random)
                + "\",\"flags\":{\"a\":1,\"b\":0,\"c\":true,\"d\":[],\"e\":{}}}";
    }

    private static String words(int n, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append(i == 0 ? "" : " ");
            for (int letters = 2 + random.nextInt(8); letters > 0; letters--) {
                text.append((char) ('a' + random.nextInt(26)));
            }
        }
        return text.toString();
    }

    private static String hex(int n, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append(Character.forDigit(random.nextInt(16), 16));
        }
        return text.toString();
    }

    private static final class CountingHandler implements RecordHandler {
        long bytes;

        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {
            bytes += to - from;
        }

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {
            throw new IllegalStateException(reason.wireName());
        }

        @Override
        public void beginLong(long offset) {
            throw new IllegalStateException();
        }

        @Override
        public void continueLong(byte[] buffer, int from, int to) {
            throw new IllegalStateException();
        }

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {
            throw new IllegalStateException();
        }

        @Override
        public void endLongSetAside(Reason reason) {
            throw new IllegalStateException();
        }
    }
}
