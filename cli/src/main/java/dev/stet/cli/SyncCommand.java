package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.ConfigFile;
import dev.stet.config.LoadedPipeline;
import dev.stet.config.Locations;
import dev.stet.config.PipelineConfig;
import dev.stet.config.Setting;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "sync",
        sortOptions = false,
        abbreviateSynopsis = true,
        header = "Runs a pipeline of a configuration file: once, or for as long as objects come.",
        description = {
            "",
            "Without --once it keeps running, copies new objects as they come and lands them when their buffer is",
            "due; SIGTERM makes it commit what is whole and end within seconds.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stet sync --once                                # the only copy pipeline of ./stet.yml",
            "  stet sync --config skippr.yml --pipeline gdpr_migration"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every source byte is landed or quarantined (with --no-flush: committed)",
            "1:the run failed; the same command goes on where it ended",
            "2:wrong usage or configuration",
            "3:finished, but some source objects could not be read; the next run tries them again"
        })
final class SyncCommand implements Callable<Integer> {
    private static final List<String> DEFAULT_FILES = List.of("stet.yml", "skippr.yml");

    private final Surroundings surroundings;
    private final Runner runner;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration; default: ./stet.yml, else ./skippr.yml.")
    Optional<String> config = Optional.empty();

    @Option(
            names = "--pipeline",
            paramLabel = "NAME",
            description = "The pipeline to run; may be left out where the file has one of type copy.")
    Optional<String> pipeline = Optional.empty();

    @Option(names = "--once", description = "Copy what is new, land it and end.")
    boolean once;

    @Mixin
    S3Flags s3 = new S3Flags();

    @Mixin
    RunFlags run = new RunFlags();

    SyncCommand(Surroundings surroundings, Runner runner) {
        this.surroundings = surroundings;
        this.runner = runner;
    }

    @Override
    public Integer call() throws ConfigException {
        LoadedPipeline loaded = load();
        PipelineConfig c = loaded.config();
        PipelineConfig flagged = new PipelineConfig(
                c.workspace(),
                c.name(),
                s3.source(c.source()),
                c.format(),
                c.include(),
                c.exclude(),
                c.recordFieldPath(),
                c.routing(),
                s3.sink(c.sink()),
                c.compression(),
                run.landing(c.landing()));
        return runner.run(flagged, loaded.notes(), run, once ? Runner.Mode.ONCE : Runner.Mode.WATCH);
    }

    private LoadedPipeline load() throws ConfigException {
        String shown = file();
        return ConfigFile.read(
                        Locations.path(shown, surroundings.workingDirectory(), new Setting("--config")),
                        shown,
                        surroundings.configContext())
                .pipeline(pipeline);
    }

    private String file() throws ConfigException {
        if (config.isPresent()) {
            return config.get();
        }
        for (String name : DEFAULT_FILES) {
            if (Files.exists(surroundings.workingDirectory().resolve(name))) {
                return name;
            }
        }
        throw new ConfigException("no ./stet.yml and no ./skippr.yml here; name a file with --config");
    }
}
