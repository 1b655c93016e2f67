package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.Locations;
import dev.stet.config.PipelineConfig;
import dev.stet.config.PipelineConfig.LandingPolicy;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.config.SinkCompression;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "copy",
        sortOptions = false,
        abbreviateSynopsis = true,
        header = "Copies what is new in SOURCE into the layout that the flags describe, and ends.",
        description = {
            "",
            "Each record lands byte for byte, once, in SINK/NAMESPACE/p_FIELD=VALUE/year=…/month=…/day=….",
            "What cannot be read or placed is set aside in SINK/_quarantine/, never dropped.",
            "Killed at any moment and started again, or run again later, it copies only what is missing.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stet copy raw/ landing/ --namespace-fields event_type \\",
            "            --batch-partition-fields detail.tenant_id,tenant_id --partition-name tenant_id \\",
            "            --batch-time-fields time,date --time-partition-prefix p_",
            "  stet copy raw/ landing/ --namespace devices --compression gzip --output json"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every source byte is landed or quarantined (with --no-flush: committed)",
            "1:the run failed; the same command goes on where it ended",
            "2:wrong usage or configuration",
            "3:finished, but some source objects could not be read; the next run tries them again"
        })
final class CopyCommand implements Callable<Integer> {
    private final Surroundings surroundings;
    private final Runner runner;

    @Parameters(index = "0", paramLabel = "SOURCE", description = "Directory or s3://BUCKET/PREFIX to copy from.")
    String source;

    @Parameters(index = "1", paramLabel = "SINK", description = "Directory or s3://BUCKET/PREFIX to copy to.")
    String sink;

    @Mixin
    RoutingFlags routing = new RoutingFlags();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            completionCandidates = Candidates.Formats.class,
            description = "What the records are: json (default). csv and xml come later.")
    Optional<String> format = Optional.empty();

    @Option(
            names = "--record-field-path",
            paramLabel = "PATH",
            description = "Take the records out of an envelope: the array (or object) at this path.")
    Optional<String> recordFieldPath = Optional.empty();

    @Option(
            names = "--compression",
            paramLabel = "none|gzip",
            completionCandidates = Candidates.Compressions.class,
            description = "How landed objects are packed; none by default.")
    Optional<String> compression = Optional.empty();

    @Option(
            names = "--include",
            paramLabel = "GLOB",
            description = "Only objects whose key relative to SOURCE matches. May be repeated.")
    List<String> include = List.of();

    @Option(names = "--exclude", paramLabel = "GLOB", description = "Not objects whose key matches. May be repeated.")
    List<String> exclude = List.of();

    @Mixin
    S3Flags s3 = new S3Flags();

    @Mixin
    RunFlags run = new RunFlags();

    CopyCommand(Surroundings surroundings, Runner runner) {
        this.surroundings = surroundings;
        this.runner = runner;
    }

    @Override
    public Integer call() throws ConfigException {
        return runner.run(pipeline(), List.of(), run, Runner.Mode.ONCE);
    }

    PipelineConfig pipeline() throws ConfigException {
        Location from = Locations.parse(source, surroundings.workingDirectory(), new Setting("SOURCE"));
        Location to = Locations.parse(sink, surroundings.workingDirectory(), new Setting("SINK"));
        return new PipelineConfig(
                Optional.empty(),
                Optional.empty(),
                s3.source(from),
                format.isPresent() ? SettingValues.format(format.get(), new Setting("--format")) : Format.JSON,
                include,
                exclude,
                recordFieldPath.filter(p -> !p.isEmpty()),
                routing.settings(Locations.lastSegment(from)),
                s3.sink(to),
                compression.isPresent()
                        ? SettingValues.compression(compression.get(), new Setting("--compression"))
                        : SinkCompression.NONE,
                run.landing(LandingPolicy.DEFAULT));
    }
}
