/** What a stateless worker is handed: one task of a fan-out, copied until its deadline; what is left becomes new tasks. */
@NullMarked
package dev.stet.task;

import org.jspecify.annotations.NullMarked;
