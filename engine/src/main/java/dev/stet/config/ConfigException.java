package dev.stet.config;

/** The request cannot be run as it stands: bad usage or configuration (exit code 2). The message is one line that names what is wrong, where, and what would be right. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
