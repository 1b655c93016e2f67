/** The {@code stet} command: reads arguments, calls the engine, prints. */
@NullMarked
package dev.stet.cli;

import org.jspecify.annotations.NullMarked;
