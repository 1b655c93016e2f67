/** Tests of the functions: alone, and under the deployed definitions. */
@NullMarked
package dev.stet.functions;

import org.jspecify.annotations.NullMarked;
