package dev.stet.functions;

import dev.stet.aws.dynamodb.DynamoDbLedger;
import dev.stet.aws.s3.S3Source;
import dev.stet.aws.s3.S3Store;
import dev.stet.aws.s3.StoreOptions;
import dev.stet.compact.Buffered;
import dev.stet.compact.DueRule;
import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.LocationCheck;
import dev.stet.config.PipelineConfig;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.run.Claim;
import dev.stet.run.PipelineId;
import dev.stet.run.Places;
import dev.stet.store.KeyFilter;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One pipeline's places: source, sink, staging and ledger.
 *
 * @param stagingAt where {@code staging} lies, for the services that read it by bucket and key
 */
record Site(
        String pipelineId,
        PipelineConfig pipeline,
        S3Source source,
        ObjectStore sink,
        S3Store staging,
        Location.S3 stagingAt,
        DynamoDbLedger ledger,
        KeyFilter wanted) {

    /** Opens the places; nothing is looked at. @throws ConfigException for a pipeline that functions cannot run */
    static Site open(PipelineConfig pipeline, Clients clients, FunctionSettings settings, Clock clock)
            throws ConfigException {
        if (!(pipeline.source() instanceof Location.S3 source) || !(pipeline.sink() instanceof Location.S3 sink)) {
            throw new ConfigException("functions copy from s3:// to s3:// only; run it with: stet sync");
        }
        if (pipeline.format() != Format.JSON) {
            throw new ConfigException("format " + pipeline.format().name().toLowerCase(java.util.Locale.ROOT)
                    + " is not supported yet; json is");
        }
        String id = PipelineId.of(pipeline);
        Location.S3 staging = settings.staging().isPresent()
                ? new Location.S3(
                        settings.staging().get().bucket(),
                        settings.staging().get().prefix() + id + "/",
                        sink.region(),
                        sink.endpointUrl(),
                        false)
                : Places.stagingBeside(sink, id, "set STET_STAGING to s3://OTHER-BUCKET/PREFIX");
        LocationCheck.apart(source, sink);
        LocationCheck.apart(source, staging);
        StoreOptions options = settings.checksums() ? StoreOptions.DEFAULT : StoreOptions.DEFAULT.withoutChecksums();
        return new Site(
                id,
                pipeline,
                clients.s3().source(source),
                clients.s3().store(sink, options),
                // A worker that was taken for dead may be at work still: what it stages can then be stopped.
                clients.s3().store(staging, options.withUploadsOnly()),
                staging,
                clients.tables().ledger(settings.table(), id, Places.name(source), clock),
                filter(pipeline));
    }

    private static KeyFilter filter(PipelineConfig pipeline) throws ConfigException {
        try {
            return KeyFilter.of(pipeline.include(), pipeline.exclude());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("include, exclude: " + e.getMessage());
        }
    }

    /** Makes sure that the ledger is this pipeline's. Changed routing is what UpdatePipeline asked for. */
    void claim(FunctionSettings settings, Consumer<String> notes) throws ConfigException, IOException {
        Claim claim =
                new Claim(pipelineId, ledger, pipeline, false, true, notes, "the ledger in table " + settings.table());
        claim.check(sink);
        claim.save(sink);
    }

    /** What stands before a partition path in the key of a landed object, bytes. */
    int sinkPrefixBytes() {
        return pipeline.sink() instanceof Location.S3 s3 ? s3.prefix().getBytes(StandardCharsets.UTF_8).length + 1 : 0;
    }

    /** The full key of what is staged under a key. */
    String stagedKey(String key) {
        return stagingAt.prefix() + key;
    }

    /** Of the registry. */
    String name() {
        return pipeline.name().orElse(pipelineId);
    }

    /** The key that an object has in this source; empty when it is of no interest here. */
    Optional<String> relative(ObjectHint hint) {
        boolean bucket =
                pipeline.source() instanceof Location.S3 s3 && s3.bucket().equals(hint.bucket());
        return bucket ? source.relative(hint.key()) : Optional.empty();
    }

    /** Whether committed records are old or many enough to land, or a compaction was begun and not ended. */
    boolean compactionIsDue(Clock clock) throws IOException {
        return compactionIsDue(Buffered.in(ledger), clock);
    }

    /** Whether committed records are old or many enough to land, and nobody is at it. */
    boolean isDueAndNoneOpen(Clock clock) throws IOException {
        return !hasOpenCompaction() && isDue(Buffered.in(ledger), clock);
    }

    /** Whether a compaction was begun and not ended. */
    private boolean hasOpenCompaction() throws IOException {
        return ledger.latestCompaction().filter(c -> !c.done()).isPresent();
    }

    /** The same of what is known to wait. */
    boolean compactionIsDue(Buffered buffered, Clock clock) throws IOException {
        return hasOpenCompaction() || isDue(buffered, clock);
    }

    private boolean isDue(Buffered buffered, Clock clock) {
        LandingPolicy landing = pipeline.landing();
        DueRule rule = new DueRule(landing.bufferSeconds(), landing.bufferBytes(), Long.MAX_VALUE);
        return rule.due(buffered, clock.millis());
    }
}
