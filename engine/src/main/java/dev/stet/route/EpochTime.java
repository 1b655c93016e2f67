package dev.stet.route;

/**
 * Epoch times by their decimal digits (rule book D31). The number is never computed: the count of its integer digits tells the unit, the leading
 * digits are the whole seconds, and of the rest it only matters whether anything is there. So digits and exponents of any size cost nothing.
 */
final class EpochTime {
    private static final int MAX_INTEGER_DIGITS = 20;
    private static final int DATE_DIGITS = 8;
    private static final long HUGE_EXPONENT = 1L << 40;

    private EpochTime() {}

    /**
     * The time of a number, as {@link EventTime} gives it.
     *
     * @param number whether it was a JSON number, which may be a date by mistake
     */
    static long read(byte[] bytes, int from, int to, boolean number) {
        boolean negative = bytes[from] == '-';
        int start = negative ? from + 1 : from;
        int end = mantissaEnd(bytes, start, to);
        int point = pointAt(bytes, start, end);
        int first = firstSignificant(bytes, start, end);
        if (first == end) {
            return Calendar.decimalMinute(0);
        }
        long integerDigits = (first < point ? point - first : point - first + 1) + exponent(bytes, end, to);
        if (integerDigits > MAX_INTEGER_DIGITS) {
            return EventTime.BAD;
        }
        long secondDigits = integerDigits - fractionDigits(integerDigits);
        long seconds = leading(bytes, first, end, secondDigits);
        boolean exact = !anyAfter(bytes, first, end, secondDigits);
        if (number && !negative && exact && integerDigits == DATE_DIGITS && Calendar.isDate((int) seconds)) {
            return EventTime.AMBIGUOUS;
        }
        long floor = negative ? -seconds - (exact ? 0 : 1) : seconds;
        return Calendar.decimalMinute(Math.floorDiv(floor, 60L));
    }

    /** Decimal digits of a second by the size of the number: seconds below 1e11, then milli-, micro- and nanoseconds. */
    private static int fractionDigits(long integerDigits) {
        return integerDigits <= 11 ? 0 : integerDigits <= 14 ? 3 : integerDigits <= 17 ? 6 : 9;
    }

    private static int mantissaEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != 'e' && bytes[at] != 'E') {
            at++;
        }
        return at;
    }

    private static int pointAt(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '.') {
            at++;
        }
        return at;
    }

    private static int firstSignificant(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == '0' || bytes[at] == '.')) {
            at++;
        }
        return at;
    }

    /** The exponent from its {@code e} on, cut off where it is beyond all use; 0 if there is none. */
    private static long exponent(byte[] bytes, int e, int to) {
        int at = e + 1;
        boolean negative = at < to && bytes[at] == '-';
        if (at < to && (negative || bytes[at] == '+')) {
            at++;
        }
        long exponent = 0;
        for (; at < to; at++) {
            exponent = Math.min(HUGE_EXPONENT, 10 * exponent + bytes[at] - '0');
        }
        return negative ? -exponent : exponent;
    }

    /** The number the first {@code count} digits make, zeros added where digits run out; 0 if none are asked for. At most eleven. */
    private static long leading(byte[] bytes, int first, int end, long count) {
        long number = 0;
        int at = first;
        for (long i = 0; i < count; i++) {
            if (at < end && bytes[at] == '.') {
                at++;
            }
            number = 10 * number + (at < end ? bytes[at++] - '0' : 0);
        }
        return number;
    }

    private static boolean anyAfter(byte[] bytes, int first, int end, long count) {
        long seen = 0;
        for (int at = first; at < end; at++) {
            if (bytes[at] != '.' && ++seen > count && bytes[at] != '0') {
                return true;
            }
        }
        return false;
    }
}
