/** Compression: what a source object is wrapped in, told from its leading bytes, and how slices are packed. */
@NullMarked
package dev.stet.codec;

import org.jspecify.annotations.NullMarked;
