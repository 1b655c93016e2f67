/** Fan-out by threads on one machine: bounded hand-over of tasks, and the first failure told. */
@NullMarked
package dev.stet.fanout;

import org.jspecify.annotations.NullMarked;
