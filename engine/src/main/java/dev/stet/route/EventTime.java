package dev.stet.route;

/**
 * Reads the time of a record (rule book D31 to D33) from the bytes of a JSON number or string. The answer is the UTC minute as decimal
 * {@code yyyyMMddHHmm}, or {@link #BAD} or {@link #AMBIGUOUS}. Time and memory are linear in the text, whatever its exponent.
 */
final class EventTime {
    static final long BAD = -1;

    /** An eight-digit number that reads as a date as well as as epoch seconds. */
    static final long AMBIGUOUS = -2;

    private static final int EPOCH_DIGITS = 9;
    private static final int DATE_DIGITS = 8;

    private EventTime() {}

    /** The time of a JSON number: epoch, the unit told by its size. */
    static long ofNumber(byte[] bytes, int from, int to) {
        return EpochTime.read(bytes, from, to, true);
    }

    /** The time of a string, unescaped: ISO 8601, {@code YYYYMMDD}, or epoch in nine digits or more. */
    static long ofText(byte[] bytes, int from, int to) {
        if (to - from > 4 && bytes[from + 4] == '-') {
            return IsoTime.read(bytes, from, to);
        }
        return ofDigits(bytes, from, to);
    }

    private static long ofDigits(byte[] bytes, int from, int to) {
        int start = from < to && bytes[from] == '-' ? from + 1 : from;
        int end = digitsEnd(bytes, start, to);
        int count = end - start;
        if (count == DATE_DIGITS && start == from && end == to) {
            int date = Calendar.number(bytes, from, to);
            return Calendar.isDate(date) ? date * 10_000L : BAD;
        }
        boolean whole = end == to;
        boolean fraction = !whole && bytes[end] == '.' && end + 1 < to && digitsEnd(bytes, end + 1, to) == to;
        return count >= EPOCH_DIGITS && (whole || fraction) ? EpochTime.read(bytes, from, to, false) : BAD;
    }

    private static int digitsEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && Calendar.isDigit(bytes[at])) {
            at++;
        }
        return at;
    }
}
