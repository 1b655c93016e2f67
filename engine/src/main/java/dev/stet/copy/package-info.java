/** Copy workers: list a range, read what is new, stage it, commit. */
@NullMarked
package dev.stet.copy;

import org.jspecify.annotations.NullMarked;
