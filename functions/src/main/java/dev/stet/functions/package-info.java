/**
 * The functions of the fan-out on AWS (design §2): thin handlers over the engine, one class each, named {@code …Handler}. What they share: {@code Wiring} (clients,
 * snapshots), {@code Site} (one pipeline's places), {@code Round} and its files, {@code Entry} (JSON in and out, logs). State machines call them; see
 * docs/functions.md.
 */
@NullMarked
package dev.stet.functions;

import org.jspecify.annotations.NullMarked;
