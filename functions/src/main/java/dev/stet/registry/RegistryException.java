package dev.stet.registry;

import java.util.Optional;

/** A call that is refused. The message is for users: one line that names what is wrong and what would be right. */
public final class RegistryException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String field;

    public RegistryException(ErrorCode code, String message) {
        this(code, message, Optional.empty());
    }

    /** @param field of the request, dotted: {@code transform.batchTimeUnit} */
    public RegistryException(ErrorCode code, String message, Optional<String> field) {
        super(message);
        this.code = code;
        this.field = field.orElse("");
    }

    public static RegistryException invalid(String field, String message) {
        return new RegistryException(ErrorCode.InvalidRequest, message, Optional.of(field));
    }

    public ErrorCode code() {
        return code;
    }

    public Optional<String> field() {
        return field.isEmpty() ? Optional.empty() : Optional.of(field);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
