package dev.stet.api;

import dev.stet.config.ConfigValue.Section;
import java.util.List;
import java.util.Optional;

/** One pipeline: from where, to where, and how records are laid out. Immutable: each method gives a new one. */
public final class Pipeline {
    private final String name;
    private final Section settings;
    private final Optional<DataSource> source;
    private final Optional<DataSink> sink;

    /** A copy pipeline. @param name part of its identity: under another name it starts afresh */
    public Pipeline(String name) {
        this(name, Section.EMPTY.with("type", PipelineType.COPY.word()), Optional.empty(), Optional.empty());
    }

    Pipeline(String name, Section settings, Optional<DataSource> source, Optional<DataSink> sink) {
        this.name = name;
        this.settings = settings;
        this.source = source;
        this.sink = sink;
    }

    public String name() {
        return name;
    }

    Section settings() {
        return settings;
    }

    Optional<DataSource> source() {
        return source;
    }

    Optional<DataSink> sink() {
        return sink;
    }

    private Pipeline with(Section changed) {
        return new Pipeline(name, changed, source, sink);
    }

    /** {@link PipelineType#COPY} unless set. */
    public Pipeline type(PipelineType type) {
        return with(settings.with("type", type.word()));
    }

    public Pipeline dataSource(DataSource from) {
        return new Pipeline(name, settings.with("data_source", "data_sources." + from.name()), Optional.of(from), sink);
    }

    public Pipeline dataSink(DataSink to) {
        return new Pipeline(name, settings.with("data_sink", "data_sinks." + to.name()), source, Optional.of(to));
    }

    public Pipeline transform(Transform transform) {
        return with(settings.with("transform", transform.settings()));
    }

    /** Only objects whose key relative to the source matches one of these globs. */
    public Pipeline include(String... globs) {
        return with(settings.with("include", List.of(globs)));
    }

    /** Not objects whose key matches one of these globs. */
    public Pipeline exclude(String... globs) {
        return with(settings.with("exclude", List.of(globs)));
    }

    /** Lands what is this old; 86,400 unless set. */
    public Pipeline bufferThresholdSeconds(long seconds) {
        return with(settings.with("buffer_threshold_seconds", seconds));
    }

    /** Lands when so many bytes are committed and wait; no limit unless set. */
    public Pipeline bufferThresholdBytes(long bytes) {
        return with(settings.with("buffer_threshold_bytes", bytes));
    }

    /** Landed objects are begun anew rather than exceed this; 1 GiB unless set. */
    public Pipeline maxObjectBytes(long bytes) {
        return with(settings.with("max_object_bytes", bytes));
    }
}
