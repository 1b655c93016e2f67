package dev.stet.store;

/** Something in the source that can be no object (a socket, a pipe, a link to nowhere, a name that is not UTF-8): named, never skipped silently. */
public record Unlistable(String key, String why) implements ListEntry {}
