/** The registry's API on this machine: an HTTP server, and the proofs of who calls. Start reading at {@code RegistryServer}. */
@NullMarked
package dev.stet.serve;

import org.jspecify.annotations.NullMarked;
