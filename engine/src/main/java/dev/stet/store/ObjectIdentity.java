package dev.stet.store;

import java.util.Optional;

/** Which version of a source object was read: what the ledger remembers (design §6, "Identity of a source object"). The version id only informs. */
public record ObjectIdentity(String key, String etag, long size, Optional<String> version) {}
