/**
 * Pipelines from Java: built, saved, loaded and run. Methods are named like the keys of the configuration file, and values are read by its rules, so that
 * what is wrong is told in the same words.
 */
@NullMarked
package dev.stet.api;

import org.jspecify.annotations.NullMarked;
