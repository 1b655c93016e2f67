/** Routing: from a record's captured fields to the partition it belongs to. */
@NullMarked
package dev.stet.route;

import org.jspecify.annotations.NullMarked;
