package dev.stet.config;

import java.util.List;

/**
 * A pipeline as a file gives it.
 *
 * @param sourceName name of its data source in the file, and {@code sinkName} of its sink: what {@link ConfigWriter} needs to save it again
 * @param notes for the user, one line each
 */
public record LoadedPipeline(PipelineConfig config, String sourceName, String sinkName, List<String> notes) {
    public LoadedPipeline {
        notes = List.copyOf(notes);
    }
}
