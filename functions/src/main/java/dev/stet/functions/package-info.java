/** Lambda handlers: thin, over the engine. */
@NullMarked
package dev.stet.functions;

import org.jspecify.annotations.NullMarked;
