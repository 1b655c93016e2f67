package dev.stet.copy;

import dev.stet.ledger.Fingerprint;
import dev.stet.store.ObjectIdentity;
import java.util.OptionalLong;

/** An object whose records, if any, are in the bundle at hand. {@code before}: as in {@link TodoObject}. */
record CopiedObject(ObjectIdentity identity, Fingerprint fingerprint, OptionalLong before) {
    static CopiedObject of(ObjectIdentity identity, OptionalLong before) {
        return new CopiedObject(identity, Fingerprint.of(identity.key(), identity.etag(), identity.size()), before);
    }
}
