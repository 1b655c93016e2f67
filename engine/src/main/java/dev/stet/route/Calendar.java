package dev.stet.route;

/** The proleptic Gregorian calendar in integers, years 0001 to 9999. */
final class Calendar {
    static final long MINUTES_A_DAY = 1440;

    /** Minutes from 1970-01-01T00:00 to 0001-01-01T00:00 and to 10000-01-01T00:00. */
    private static final long FIRST_MINUTE = -719_162 * MINUTES_A_DAY;

    private static final long END_MINUTE = 2_932_897 * MINUTES_A_DAY;

    private Calendar() {}

    static boolean isDigit(byte value) {
        return value >= '0' && value <= '9';
    }

    /** The decimal number {@code bytes[from, to)}, at most nine digits; -1 if anything else stands there. */
    static int number(byte[] bytes, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            if (!isDigit(bytes[i])) {
                return -1;
            }
            number = 10 * number + bytes[i] - '0';
        }
        return number;
    }

    /** Whether decimal {@code yyyyMMdd} is a day of the years 0001 to 9999. */
    static boolean isDate(int date) {
        return date >= 1_00_00 && isDate(date / 10_000, date / 100 % 100, date % 100);
    }

    /** Whether the day exists; the year 0000, which only an offset can lead out of, counts as one. */
    static boolean isDate(int year, int month, int day) {
        return year >= 0 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
    }

    private static int monthLength(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Days from 1970-01-01. Counts in years that begin in March, so that the leap day is a year's last. */
    static long epochDay(int year, int month, int day) {
        long y = month <= 2 ? year - 1L : year;
        long era = Math.floorDiv(y, 400L);
        long yearOfEra = y - 400 * era;
        long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        return 146_097 * era + 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
    }

    /** Decimal {@code yyyyMMddHHmm} of a minute counted from 1970, or {@link EventTime#BAD} outside the years 0001 to 9999. */
    static long decimalMinute(long epochMinute) {
        if (epochMinute < FIRST_MINUTE || epochMinute >= END_MINUTE) {
            return EventTime.BAD;
        }
        long minute = Math.floorMod(epochMinute, MINUTES_A_DAY);
        return 10_000 * decimalDay(Math.floorDiv(epochMinute, MINUTES_A_DAY)) + minute / 60 * 100 + minute % 60;
    }

    private static long decimalDay(long epochDay) {
        long days = epochDay + 719_468;
        long era = Math.floorDiv(days, 146_097L);
        long dayOfEra = days - 146_097 * era;
        long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long shiftedMonth = (5 * dayOfYear + 2) / 153;
        long day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
        long month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
        long year = yearOfEra + 400 * era + (month <= 2 ? 1 : 0);
        return 10_000 * year + 100 * month + day;
    }
}
