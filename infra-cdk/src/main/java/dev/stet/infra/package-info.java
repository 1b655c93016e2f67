/** The CDK stack: one construct a part of the system, one grant a need. */
@NullMarked
package dev.stet.infra;

import org.jspecify.annotations.NullMarked;
