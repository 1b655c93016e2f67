package dev.stet.plan;

import dev.stet.store.KeyOrder;
import java.util.Optional;

/**
 * Extrapolates keys: where a walk comes to that goes on from one key past another at the same pace. Keys are read as numbers whose digits are those letters that the keys
 * seen have in that place: decimal, hexadecimal, or all; what is no digit stays as it is. A guess: only its order is certain. Not thread-safe.
 */
final class Odometer {
    private static final int DIGITS = 12;
    private static final int MAX_TRIES = 8;
    private static final String[] ALPHABETS = {
        "0123456789",
        "0123456789abcdef",
        "0123456789ABCDEF",
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    };
    private static final int NONE = ALPHABETS.length;
    private static final int MAX_PLACES = 1_024;

    /** The narrowest alphabet that has all letters seen in a place. */
    private final byte[] seen = new byte[MAX_PLACES];

    /** Learns which letters there are in each place. */
    void see(String key) {
        for (int i = 0; i < Math.min(key.length(), MAX_PLACES); i++) {
            while (seen[i] < NONE && ALPHABETS[seen[i]].indexOf(key.charAt(i)) < 0) {
                seen[i]++;
            }
        }
    }

    /** A key about {@code factor} times as far behind {@code to} as {@code from} is before it, or less far; never before {@code to}. Both were seen. */
    String advance(String from, String to, double factor) {
        int common = 0;
        while (common < Math.min(from.length(), to.length()) && from.charAt(common) == to.charAt(common)) {
            common++;
        }
        int end = Math.min(to.length(), common + DIGITS);
        double distance = distance(from, to, common, end) * factor;
        for (int i = 0; i < MAX_TRIES; i++) {
            Optional<String> guess = add(to.substring(0, end), common, distance);
            if (guess.isPresent()) {
                return KeyOrder.compare(guess.get(), to) > 0 ? guess.get() : to;
            }
            distance /= 4;
        }
        return to;
    }

    /**
     * The digits of a place. The first place that changed shows few of its letters, those before it one: they are of the kind that the places behind show.
     *
     * @param changing the first place that changed
     */
    private String alphabet(String key, int place, int changing) {
        int kind = seen[place];
        if (place <= changing && kind < NONE) {
            for (int i = changing; i < key.length() && seen[i] < NONE; i++) {
                if (seen[i] > kind && ALPHABETS[seen[i]].indexOf(key.charAt(place)) >= 0) {
                    kind = seen[i];
                }
            }
        }
        return kind < NONE ? ALPHABETS[kind] : "";
    }

    /** In units of the digit at {@code at}. */
    private double distance(String from, String to, int at, int end) {
        double sum = 0;
        double unit = 1;
        for (int i = at; i < end; i++) {
            String alphabet = alphabet(to, i, at);
            if (!alphabet.isEmpty()) {
                int f = i < from.length() ? Math.max(0, alphabet.indexOf(from.charAt(i))) : 0;
                sum += (alphabet.indexOf(to.charAt(i)) - f) * unit;
                unit /= alphabet.length();
            }
        }
        return sum;
    }

    /** Adds to the digit at {@code at}: what is too much for it is carried to those before, the rest goes into those behind. Empty when all before run over. */
    private Optional<String> add(String key, int at, double amount) {
        char[] digits = key.toCharArray();
        double whole = Math.floor(amount);
        double carry = whole;
        for (int i = Math.min(at, digits.length - 1); i >= 0 && carry > 0; i--) {
            String alphabet = alphabet(key, i, Math.min(at, digits.length - 1));
            if (!alphabet.isEmpty()) {
                double sum = alphabet.indexOf(digits[i]) + carry;
                digits[i] = alphabet.charAt((int) (sum % alphabet.length()));
                carry = Math.floor(sum / alphabet.length());
            }
        }
        if (carry > 0) {
            return Optional.empty();
        }
        double rest = amount - whole;
        for (int i = at + 1; i < digits.length; i++) {
            String alphabet = alphabet(key, i, at);
            if (!alphabet.isEmpty()) {
                double sum = alphabet.indexOf(digits[i]) + rest * alphabet.length();
                int digit = (int) Math.min(alphabet.length() - 1.0, Math.floor(sum));
                digits[i] = alphabet.charAt(digit);
                rest = Math.clamp(sum - digit, 0, 0.999);
            }
        }
        return Optional.of(new String(digits));
    }
}
