/** Faults on purpose: which call of a port fails, loses its answer or comes late. Shared by the wrappers around both ports. */
@NullMarked
package dev.stet.faults;

import org.jspecify.annotations.NullMarked;
