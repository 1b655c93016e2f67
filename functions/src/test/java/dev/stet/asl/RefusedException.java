package dev.stet.asl;

/** A definition or request says something that this interpreter does not know, or that the service would not take. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }
}
