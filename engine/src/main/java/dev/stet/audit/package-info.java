/** Digests and checksums that prove nothing was lost, doubled or changed. */
@NullMarked
package dev.stet.audit;

import org.jspecify.annotations.NullMarked;
