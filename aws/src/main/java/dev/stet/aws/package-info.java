/** The engine's ports on AWS. */
@NullMarked
package dev.stet.aws;

import org.jspecify.annotations.NullMarked;
