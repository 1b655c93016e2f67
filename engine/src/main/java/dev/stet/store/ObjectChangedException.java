package dev.stet.store;

import java.io.IOException;

/** The object is no longer the version that was asked for; what was read of it must be discarded and the new version taken (rule book D39). */
public final class ObjectChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public ObjectChangedException(String key) {
        super("the object changed while it was read: " + key);
    }
}
