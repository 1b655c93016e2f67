/** Tests of the registry. */
@NullMarked
package dev.stet.registry;

import org.jspecify.annotations.NullMarked;
