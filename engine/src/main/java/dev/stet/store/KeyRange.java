package dev.stet.store;

import java.util.Optional;

/**
 * The keys greater than {@code after} and, where given, not greater than {@code upTo}, in {@link KeyOrder}. The lower end is exclusive because that is
 * what a listing can start from ({@code StartAfter}); {@code ""} is before every key.
 */
public record KeyRange(String after, Optional<String> upTo) {
    public static final KeyRange ALL = new KeyRange("", Optional.empty());

    public boolean contains(String key) {
        return KeyOrder.compare(key, after) > 0 && (upTo.isEmpty() || KeyOrder.compare(key, upTo.get()) <= 0);
    }
}
