package dev.stet.stage;

import java.util.Optional;

/** The source object that staged bytes come from, as quarantine lines and manifests name it. {@code key} is relative to the source. */
public record SourceRef(String key, Optional<String> version) {}
