/** Whole runs on one machine: plan, copy, compact, report. */
@NullMarked
package dev.stet.run;

import org.jspecify.annotations.NullMarked;
