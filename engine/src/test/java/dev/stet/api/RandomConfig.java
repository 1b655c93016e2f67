package dev.stet.api;

import dev.stet.config.Format;
import dev.stet.config.SinkCompression;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Configurations that use any setting, with texts that YAML or the environment could mistake for something else. The same for the same seed. */
final class RandomConfig {
    private static final List<String> ODD = List.of(
            "a",
            "event_type",
            "detail.tenant_id",
            "@system",
            "null",
            "true",
            "no",
            "~",
            "123",
            "0x1f",
            "1e3",
            "-",
            "- a",
            "a: b",
            "#c",
            "a #c",
            "'q'",
            "\"q\"",
            "{a}",
            "[a]",
            "*a",
            "&a",
            "!a",
            "%a",
            "a,b",
            " a ",
            "a\\b",
            "${X}",
            "$${X}",
            "$$$",
            "\u00e9",
            "\uD83D\uDE00",
            "\u2028",
            "\t",
            "a\nb",
            "\u0001",
            "\u0085",
            "\uFEFFx",
            "x:",
            "?",
            "2021-10-05",
            "<<",
            "=",
            "y",
            "NaN",
            ".",
            "..",
            "a/b",
            "%40");
    private static final List<String> PREFIXES = List.of("", "p_", "x-", "1", "~", "null");
    private static final List<String> FOLDERS =
            List.of("quarantine", "none", "__HIVE_DEFAULT_PARTITION__", "null", "a b", "0");

    private final SplittableRandom random;

    RandomConfig(long seed) {
        random = new SplittableRandom(seed);
    }

    private boolean maybe() {
        return random.nextInt(3) == 0;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private <T> T pick(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String text() {
        return pick(ODD);
    }

    private List<String> texts(int most) {
        return Stream.generate(this::text).limit(1 + random.nextInt(most)).toList();
    }

    Config next() {
        Config config = new Config();
        if (maybe()) {
            config = config.workspace(text());
        }
        int pipelines = 1 + random.nextInt(3);
        for (int i = 0; i < pipelines; i++) {
            config = config.pipeline(pipeline(text() + i, i));
        }
        return config;
    }

    private Pipeline pipeline(String name, int number) {
        Pipeline p = new Pipeline(name).dataSource(source(text() + number)).dataSink(sink(text() + number));
        p = maybe() ? p.transform(transform()) : p;
        p = maybe() ? p.type(PipelineType.COPY) : p;
        p = maybe() ? p.include(texts(3).toArray(String[]::new)) : p;
        p = maybe() ? p.exclude(texts(3).toArray(String[]::new)) : p;
        p = maybe() ? p.bufferThresholdSeconds(random.nextInt(100_000)) : p;
        p = maybe() ? p.bufferThresholdBytes(1 + random.nextLong(1L << 50)) : p;
        return maybe() ? p.maxObjectBytes(1 + random.nextLong(1L << 50)) : p;
    }

    private DataSource source(String name) {
        if (maybe()) {
            return new DataSourceFile(name)
                    .path("/" + text().replace("..", "x"))
                    .format(Format.JSON);
        }
        DataSourceS3 s = new DataSourceS3(name).s3Bucket("devices");
        s = maybe() ? s.s3Prefix(text()) : s;
        s = maybe() ? s.format(Format.JSON) : s;
        s = maybe() ? s.region(text()) : s;
        s = maybe() ? s.endpointUrl("http://127.0.0.1:9000/x") : s;
        return maybe() ? s.requesterPays(maybe()) : s;
    }

    private DataSink sink(String name) {
        if (maybe()) {
            DataSinkFile f = new DataSinkFile(name).outputDir("lake/" + text().replace("..", "x"));
            f = maybe() ? f.format("jsonl") : f;
            return maybe() ? f.compression(pick(SinkCompression.values())) : f;
        }
        DataSinkS3 s = new DataSinkS3(name).s3Bucket("lake");
        s = maybe() ? s.s3Prefix(text()) : s;
        s = maybe() ? s.format("jsonl") : s;
        s = maybe() ? s.compression(pick(SinkCompression.values())) : s;
        s = maybe() ? s.region(text()) : s;
        return maybe() ? s.endpointUrl("https://s3.example.com") : s;
    }

    private Transform transform() {
        Transform t = new Transform();
        int levels = random.nextInt(4);
        t = switch (levels) {
            case 0 -> t;
            case 1 -> maybe() ? t.batchPartitionFields("a.b, c") : t.batchPartitionFields(texts(3));
            default -> t.batchPartitionLevels(lists(levels));
        };
        if (levels > 0 && maybe()) {
            t = levels == 1 ? t.partitionName(text()) : t.partitionName(each(levels, () -> maybe() ? "" : text()));
        }
        if (maybe()) {
            t = maybe() ? t.namespaceFields("event_type, kind") : t.namespaceFields(texts(3));
        } else {
            t = maybe() ? t.namespace(maybe() ? "" : text()) : t;
        }
        t = maybe() ? t.partitionPrefix(pick(PREFIXES)) : t;
        t = maybe() ? maybe() ? t.batchTimeFields("time,date") : t.batchTimeFields(texts(3)) : t;
        t = maybe() ? t.batchTimeUnit(pick(BatchTimeUnit.values())) : t;
        t = maybe() ? t.timePartitionPrefix(pick(PREFIXES)) : t;
        t = maybe() ? t.timePartitionPadding(pick(TimePartitionPadding.values())) : t;
        t = maybe() ? t.recordFieldPath(text()) : t;
        t = maybe() ? t.onMissing(onMissing()) : t;
        while (maybe()) {
            t = t.override(text(), override());
        }
        return t;
    }

    private List<List<String>> lists(int levels) {
        return each(levels, () -> texts(3));
    }

    private static <T> List<T> each(int number, Supplier<T> values) {
        return Stream.generate(values).limit(number).toList();
    }

    private OnMissing onMissing() {
        OnMissing m = new OnMissing();
        m = maybe() ? m.namespace(pick(FOLDERS)) : m;
        m = maybe() ? m.partition(pick(FOLDERS)) : m;
        return maybe() ? m.time(pick(FOLDERS)) : m;
    }

    private TransformOverride override() {
        TransformOverride o = new TransformOverride();
        o = maybe() ? maybe() ? o.batchTimeFields("at") : o.batchTimeFields(texts(2)) : o;
        return switch (random.nextInt(4)) {
            case 0 -> o.batchPartitionFields("tenant, org").partitionName(maybe() ? "" : text());
            case 1 -> o.batchPartitionFields(texts(2)).partitionName("");
            case 2 -> o.batchPartitionLevels(lists(2)).partitionName(each(2, this::text));
            default -> o;
        };
    }
}
