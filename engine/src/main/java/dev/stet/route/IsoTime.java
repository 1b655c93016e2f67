package dev.stet.route;

/** ISO 8601 dates and date-times in the forms of the rule book (D32, D33), extended format only. */
final class IsoTime {
    private static final int DATE_LENGTH = 10;
    private static final int NO_OFFSET = Integer.MIN_VALUE;

    private IsoTime() {}

    /** The time of a text, as {@link EventTime#ofText} gives it. */
    static long read(byte[] bytes, int from, int to) {
        if (to - from < DATE_LENGTH || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
            return EventTime.BAD;
        }
        int year = Calendar.number(bytes, from, from + 4);
        int month = Calendar.number(bytes, from + 5, from + 7);
        int day = Calendar.number(bytes, from + 8, from + DATE_LENGTH);
        if (!Calendar.isDate(year, month, day)) {
            return EventTime.BAD;
        }
        int minute = to - from == DATE_LENGTH ? 0 : utcMinute(bytes, from + DATE_LENGTH, to);
        if (minute == NO_OFFSET) {
            return EventTime.BAD;
        }
        if (year > 0 && minute >= 0 && minute < Calendar.MINUTES_A_DAY) {
            return 100_000_000L * year + 1_000_000L * month + 10_000L * day + minute / 60 * 100L + minute % 60;
        }
        return Calendar.decimalMinute(Calendar.MINUTES_A_DAY * Calendar.epochDay(year, month, day) + minute);
    }

    /** Minutes from the written day's midnight, less the offset: {@code from} is at the {@code T}. {@link #NO_OFFSET} if it cannot be read. */
    private static int utcMinute(byte[] bytes, int from, int to) {
        boolean separated = bytes[from] == 'T' || bytes[from] == 't' || bytes[from] == ' ';
        if (!separated || to - from < 6 || bytes[from + 3] != ':') {
            return NO_OFFSET;
        }
        int hour = Calendar.number(bytes, from + 1, from + 3);
        int minute = Calendar.number(bytes, from + 4, from + 6);
        if (hour < 0 || hour > 24 || minute < 0 || minute > 59) {
            return NO_OFFSET;
        }
        int zone = secondsEnd(bytes, from + 6, to);
        if (zone < 0 || (hour == 24 && !isMidnight(bytes, from + 4, zone))) {
            return NO_OFFSET;
        }
        int offset = offset(bytes, zone, to);
        return offset == NO_OFFSET ? NO_OFFSET : 60 * hour + minute - offset;
    }

    /** Where the optional seconds and fraction end, or -1. Second 60 is read and stays in its minute. */
    private static int secondsEnd(byte[] bytes, int from, int to) {
        if (from == to || bytes[from] != ':') {
            return from;
        }
        int end = from + 3;
        int second = end > to ? -1 : Calendar.number(bytes, from + 1, end);
        if (second < 0 || second > 60) {
            return -1;
        }
        if (end == to || (bytes[end] != '.' && bytes[end] != ',')) {
            return end;
        }
        int fraction = end + 1;
        int at = fraction;
        while (at < to && Calendar.isDigit(bytes[at])) {
            at++;
        }
        return at == fraction ? -1 : at;
    }

    /** Whether all digits of minutes, seconds and fraction are zero: 24:00 is a time, a moment later is none. */
    private static boolean isMidnight(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Calendar.isDigit(bytes[i]) && bytes[i] != '0') {
                return false;
            }
        }
        return true;
    }

    /** Minutes east of UTC; none written means UTC. */
    private static int offset(byte[] bytes, int from, int to) {
        int size = to - from;
        if (size == 0 || (size == 1 && (bytes[from] == 'Z' || bytes[from] == 'z'))) {
            return 0;
        }
        if (size == 4 && bytes[from] == ' ') {
            return is(bytes, from, " UTC") || is(bytes, from, " GMT") ? 0 : NO_OFFSET;
        }
        int minutesAt = size == 6 && bytes[from + 3] == ':' ? from + 4 : from + 3;
        if ((size != 3 && size != 5 && size != 6) || to - minutesAt > 2 || (bytes[from] != '+' && bytes[from] != '-')) {
            return NO_OFFSET;
        }
        int hours = Calendar.number(bytes, from + 1, from + 3);
        int minutes = Calendar.number(bytes, minutesAt, to);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
            return NO_OFFSET;
        }
        return bytes[from] == '-' ? -(60 * hours + minutes) : 60 * hours + minutes;
    }

    private static boolean is(byte[] bytes, int from, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
