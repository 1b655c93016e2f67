package dev.stet.store;

import java.io.IOException;

/** A store cannot go on. The message names the place and what would help; it is shown to users as it is. */
public class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
