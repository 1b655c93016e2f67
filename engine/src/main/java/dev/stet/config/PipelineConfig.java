package dev.stet.config;

import dev.stet.route.RoutingSettings;
import java.util.List;
import java.util.Optional;

/**
 * One copy pipeline, complete and checked: everything that decides which bytes land where. What is read, from where, may be narrowed by globs over keys
 * relative to the source.
 *
 * @param workspace and {@code name}: present for {@code sync}, part of the pipeline id; for {@code copy} both are empty
 * @param recordFieldPath unwraps an envelope (rule book D11)
 */
public record PipelineConfig(
        Optional<String> workspace,
        Optional<String> name,
        Location source,
        Format format,
        List<String> include,
        List<String> exclude,
        Optional<String> recordFieldPath,
        RoutingSettings routing,
        Location sink,
        SinkCompression compression,
        LandingPolicy landing) {

    public PipelineConfig {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    /** The same pipeline under a name, as a file holds it. */
    public PipelineConfig withName(String given) {
        return new PipelineConfig(
                workspace,
                Optional.of(given),
                source,
                format,
                include,
                exclude,
                recordFieldPath,
                routing,
                sink,
                compression,
                landing);
    }

    /**
     * When committed records land, and in what sizes.
     *
     * @param bufferSeconds age of the oldest commit at which a buffer is due
     * @param bufferBytes committed bytes at which buffers are due; empty: no such limit
     * @param maxObjectBytes a landed object is begun anew rather than exceed this, but for a slice that is larger alone
     */
    public record LandingPolicy(long bufferSeconds, Optional<Long> bufferBytes, long maxObjectBytes) {
        public static final long DEFAULT_BUFFER_SECONDS = 86_400;
        public static final long DEFAULT_MAX_OBJECT_BYTES = 1L << 30;
        public static final LandingPolicy DEFAULT =
                new LandingPolicy(DEFAULT_BUFFER_SECONDS, Optional.empty(), DEFAULT_MAX_OBJECT_BYTES);
    }
}
