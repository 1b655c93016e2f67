package dev.stet.api;

import java.util.Locale;

/** What a pipeline does. */
public enum PipelineType {
    /** Copies records byte for byte into another layout. */
    COPY;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
