package dev.stet.api;

import dev.stet.config.ConfigContext;
import dev.stet.config.ConfigException;
import dev.stet.config.ConfigFile;
import dev.stet.config.ConfigTree;
import dev.stet.config.ConfigValue.Section;
import dev.stet.config.ConfigWriter;
import dev.stet.config.LoadedPipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration file: pipelines of one workspace, with their sources and sinks. What it saves reads back as the same settings, and saved again gives the
 * same bytes. Immutable: each method gives a new one. Nothing is checked before it is saved, resolved or run.
 */
public final class Config {
    private final Section settings;
    private final Map<String, Pipeline> pipelines;
    private final List<String> notes;

    public Config() {
        this(Section.EMPTY, Map.of(), List.of());
    }

    private Config(Section settings, Map<String, Pipeline> pipelines, List<String> notes) {
        this.settings = settings;
        this.pipelines = new LinkedHashMap<>(pipelines);
        this.notes = List.copyOf(notes);
    }

    /**
     * Reads the copy pipelines of a file. Variables of the environment are put in, relative paths become absolute. What the file holds besides is named by
     * {@link #notes}, and {@link #save} would not write it.
     *
     * @throws ConfigException naming file and line
     */
    public static Config load(String file) throws ConfigException {
        ConfigContext context = ConfigContext.ofProcess();
        ConfigFile read = ConfigFile.read(context.workingDirectory().resolve(file), file, context);
        List<LoadedPipeline> loaded = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String name : read.copies()) {
            loaded.add(read.pipeline(Optional.of(name)));
            notes.addAll(loaded.getLast().notes());
        }
        for (String name : read.names()) {
            if (!read.copies().contains(name)) {
                notes.add(file + ": the pipeline " + name + " is not of type copy, left out");
            }
        }
        return of(loaded, notes.stream().distinct().toList());
    }

    private static Config of(List<LoadedPipeline> loaded, List<String> notes) {
        Section file = ConfigTree.file(loaded);
        Map<String, Pipeline> pipelines = new LinkedHashMap<>();
        for (LoadedPipeline p : loaded) {
            String name = p.config().name().orElse(p.sourceName());
            pipelines.put(
                    name,
                    new Pipeline(
                            name,
                            file.section("pipelines").section(name),
                            Optional.of(source(p.sourceName(), file.section("data_sources"))),
                            Optional.of(sink(p.sinkName(), file.section("data_sinks")))));
        }
        return new Config(file.section("stet"), pipelines, notes);
    }

    private static DataSource source(String name, Section sources) {
        Section kinds = sources.section(name);
        return kinds.entries().containsKey("S3")
                ? new DataSourceS3(name, kinds.section("S3"))
                : new DataSourceFile(name, kinds.section("File"));
    }

    private static DataSink sink(String name, Section sinks) {
        Section kinds = sinks.section(name);
        return kinds.entries().containsKey("S3")
                ? new DataSinkS3(name, kinds.section("S3"))
                : new DataSinkFile(name, kinds.section("File"));
    }

    /** Part of each pipeline's identity; {@code default} unless set. */
    public Config workspace(String name) {
        return new Config(settings.with("workspace", name), pipelines, notes);
    }

    /** With this pipeline, in place of one of the same name. */
    public Config pipeline(Pipeline pipeline) {
        Map<String, Pipeline> more = new LinkedHashMap<>(pipelines);
        more.put(pipeline.name(), pipeline);
        return new Config(settings, more, notes);
    }

    public Collection<Pipeline> pipelines() {
        return List.copyOf(pipelines.values());
    }

    /** What loading found without use for it, one line each. */
    public List<String> notes() {
        return notes;
    }

    /**
     * The settings of one pipeline, complete and checked.
     *
     * @throws ConfigException no such pipeline, or a setting is wrong: the message names pipeline, key, and what would be right
     */
    public LoadedPipeline resolve(String name) throws ConfigException {
        if (!pipelines.containsKey(name)) {
            throw new ConfigException("no pipeline \"" + name + "\"; there are "
                    + (pipelines.isEmpty() ? "none" : String.join(", ", pipelines.keySet())));
        }
        Section file = file(List.of(pipelines.get(name)));
        return ConfigFile.of("pipeline " + name, file, ConfigContext.ofProcess())
                .pipeline(Optional.of(name));
    }

    private Section file(Collection<Pipeline> chosen) throws ConfigException {
        Section each = Section.EMPTY;
        Section sources = Section.EMPTY;
        Section sinks = Section.EMPTY;
        for (Pipeline p : chosen) {
            each = each.with(p.name(), p.settings());
            if (p.source().isPresent()) {
                sources = add(
                        sources,
                        "data_sources.",
                        p.source().get().name(),
                        p.source().get().section());
            }
            if (p.sink().isPresent()) {
                sinks = add(
                        sinks,
                        "data_sinks.",
                        p.sink().get().name(),
                        p.sink().get().section());
            }
        }
        return Section.EMPTY
                .with("stet", settings)
                .with("pipelines", each)
                .with("data_sources", sources)
                .with("data_sinks", sinks);
    }

    private static Section add(Section members, String group, String name, Section member) throws ConfigException {
        if (members.entries().containsKey(name) && !members.section(name).equals(member)) {
            throw new ConfigException(group + name + ": two pipelines mean different things by it; name one otherwise");
        }
        return members.with(name, member);
    }

    /** The file's text, every pipeline checked. */
    public String toYaml() throws ConfigException {
        if (pipelines.isEmpty()) {
            throw new ConfigException("no pipeline to save");
        }
        Section all = file(pipelines.values());
        ConfigFile file = ConfigFile.of("the configuration", all, ConfigContext.ofProcess());
        List<LoadedPipeline> loaded = new ArrayList<>();
        for (String name : file.names()) {
            loaded.add(resolve(name));
        }
        return ConfigWriter.toYaml(loaded);
    }

    /** Writes the file, in UTF-8, in place of what it held. Nothing is written when a setting is wrong. */
    public void save(String file) throws ConfigException, IOException {
        String yaml = toYaml();
        Files.writeString(Path.of(file), yaml);
    }
}
