/**
 * The registry (design §9): pipelines and their runs, the ten actions on them, and where they are kept. Start reading at {@code RegistryService}; copy workers
 * need {@code Runs} alone.
 */
@NullMarked
package dev.stet.registry;

import org.jspecify.annotations.NullMarked;
