/** Compaction: from a frozen set of commits to landed objects, by a plan that is a pure function of the set. */
@NullMarked
package dev.stet.compact;

import org.jspecify.annotations.NullMarked;
