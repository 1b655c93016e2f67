package dev.stet.compact;

/**
 * A part of a run's index, from one slice's entry to another's.
 *
 * @param commit its place in the header
 * @param run its number in the bundle
 * @param offset in the bundle, bytes
 */
record IndexRange(int commit, int run, long offset, long length) {}
