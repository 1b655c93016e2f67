package dev.stet.functions;

import dev.stet.compact.CompactorSettings;
import dev.stet.config.ConfigException;
import dev.stet.plan.TaskSize;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the environment of a function says (docs/functions.md lists the variables).
 *
 * @param table of ledger and registry
 * @param staging bucket and prefix for bundles and plans; empty: beside each sink
 * @param taskSize of copy tasks
 * @param threads objects read side by side by one copy worker, objects landed side by side by one landing worker
 * @param margin time kept for ending before the function is killed
 * @param parts which objects are copied in several commits
 * @param generationCommits most that one generation of a compaction takes
 * @param checksums whether full-object checksums are asked of S3; off for servers that know none
 * @param compactStateMachine what the schedule starts
 * @param metrics namespace of metrics
 */
public record FunctionSettings(
        String table,
        Optional<StagingBase> staging,
        TaskSize taskSize,
        int threads,
        Duration margin,
        Parts parts,
        int generationCommits,
        boolean checksums,
        Optional<String> compactStateMachine,
        String metrics) {
    private static final int DEFAULT_THREADS = 4;
    private static final int DEFAULT_MARGIN_SECONDS = 60;
    private static final String SCHEME = "s3://";

    /** Where staging begins. @param prefix empty or with a slash at its end */
    public record StagingBase(String bucket, String prefix) {}

    /**
     * Objects of {@code fromBytes} stored and more are copied in parts, each of {@code bytes} of content at most. The default: a GiB takes half a minute or so; a larger object goes on in
     * the next worker where one ends, and 8 GiB at most are lost with a worker that is killed.
     */
    public record Parts(long fromBytes, long bytes) {
        static final Parts DEFAULT = new Parts(1L << 30, 8L << 30);
    }

    /** Reads the variables. @throws ConfigException naming the variable that is missing or cannot be so */
    public static FunctionSettings of(Map<String, String> environment) throws ConfigException {
        Variables variables = new Variables(environment);
        String table = variables
                .text("STET_TABLE")
                .orElseThrow(
                        () -> new ConfigException("STET_TABLE is not set; it names the DynamoDB table of the ledger"));
        Optional<String> staging = variables.text("STET_STAGING");
        return new FunctionSettings(
                table,
                staging.isPresent() ? Optional.of(base(staging.get())) : Optional.empty(),
                new TaskSize(
                        variables.number("STET_TASK_OBJECTS", (int) TaskSize.DEFAULT.objects()),
                        variables.megabytes("STET_TASK_MEGABYTES", TaskSize.DEFAULT.bytes())),
                variables.number("STET_THREADS", DEFAULT_THREADS),
                Duration.ofSeconds(variables.number("STET_MARGIN_SECONDS", DEFAULT_MARGIN_SECONDS)),
                new Parts(
                        variables.megabytes("STET_PARTS_FROM_MEGABYTES", Parts.DEFAULT.fromBytes()),
                        variables.megabytes("STET_PART_MEGABYTES", Parts.DEFAULT.bytes())),
                variables.number("STET_GENERATION_COMMITS", CompactorSettings.MAX_COMMITS),
                !variables.text("STET_CHECKSUMS").equals(Optional.of("false")),
                variables.text("STET_COMPACT_STATE_MACHINE"),
                variables.text("STET_METRICS_NAMESPACE").orElse("Stet"));
    }

    private static StagingBase base(String text) throws ConfigException {
        if (!text.startsWith(SCHEME) || text.length() == SCHEME.length()) {
            throw new ConfigException("STET_STAGING is '" + text + "', not s3://BUCKET/PREFIX");
        }
        String[] parts = text.substring(SCHEME.length()).split("/", 2);
        String prefix = parts.length == 2 ? parts[1] : "";
        return new StagingBase(parts[0], prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/");
    }

    private record Variables(Map<String, String> values) {
        Optional<String> text(String name) {
            return Optional.ofNullable(values.get(name)).filter(v -> !v.isBlank());
        }

        /** @return bytes */
        long megabytes(String name, long otherwise) throws ConfigException {
            return (long) number(name, (int) (otherwise >> 20)) << 20;
        }

        int number(String name, int otherwise) throws ConfigException {
            Optional<String> there = text(name);
            if (there.isEmpty()) {
                return otherwise;
            }
            try {
                int n = Integer.parseInt(there.get());
                if (n > 0) {
                    return n;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw new ConfigException(name + " is '" + there.get() + "', not a whole number above 0");
        }
    }
}
