/** Bundles: the one staged object a commit writes, its runs, slices and index. */
@NullMarked
package dev.stet.stage;

import org.jspecify.annotations.NullMarked;
