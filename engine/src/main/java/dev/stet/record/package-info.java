/** Framing: finds where each record starts and ends in a stream of bytes, and captures the routed fields while it looks. */
@NullMarked
package dev.stet.record;

import org.jspecify.annotations.NullMarked;
