/** What the user asked for: pipelines, sources, sinks, transforms; YAML and its errors. */
@NullMarked
package dev.stet.config;

import org.jspecify.annotations.NullMarked;
