/** The object-store port and its adapter for directories. */
@NullMarked
package dev.stet.store;

import org.jspecify.annotations.NullMarked;
