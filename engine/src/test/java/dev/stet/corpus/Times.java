package dev.stet.corpus;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** A moment of a day in every form the rule book takes (D31 to D33), and in some that it refuses. */
final class Times {
    private static final long DAY_SECONDS = 86_400;

    private Times() {}

    /** Some moment of the UTC day {@code day} as a JSON value. */
    static Json good(long day, Dice dice) {
        long second = day * DAY_SECONDS + dice.below((int) DAY_SECONDS);
        boolean modern = second > 1_000_000_000L && second < 10_000_000_000L;
        int forms = modern ? 24 : 14;
        int form = dice.chance(0.5) ? 0 : dice.below(forms);
        return switch (form) {
            case 0 -> Text.string(stamp(second, "T") + "Z", dice);
            case 1 -> Text.string(stamp(second, "T") + "." + digits(3, dice) + "Z", dice);
            case 2 -> Text.string(stamp(second, " ") + dice.pick(".", ",") + digits(dice.between(1, 12), dice), dice);
            case 3 -> Text.string(stamp(second, "t") + "z", dice);
            case 4 -> Text.string(stamp(second, " ") + dice.pick(" UTC", " GMT"), dice);
            case 5, 6 -> Text.string(withOffset(second, dice), dice);
            case 7 -> Text.string(stamp(second, dice.pick("T", " ")), dice);
            case 8 -> Text.string(stamp(second, "T").substring(0, 16) + dice.pick("", "Z"), dice);
            case 9 -> Text.string(date(day), dice);
            case 10 -> day > 0 ? Text.string(date(day).replace("-", ""), dice) : Text.string(date(day), dice);
            case 11 -> Text.string(date(day) + dice.pick("T23:59:60Z", "T23:59:60.5Z", " 23:59:60"), dice);
            case 12 -> day > 0 ? Text.string(date(day - 1) + "T24:00:00Z", dice) : Text.string(date(day), dice);
            // From 1e11 on a number is milliseconds.
            case 13 ->
                Math.abs(second) < 100_000_000_000L
                        ? new Json.Raw(String.valueOf(second))
                        : Text.string(date(day), dice);
            case 14 -> new Json.Raw(second + digits(3, dice));
            case 15 -> new Json.Raw(second + digits(6, dice));
            case 16 -> new Json.Raw(second + digits(9, dice));
            case 17 -> new Json.Raw(second + "." + digits(dice.between(1, 9), dice));
            case 18 -> new Json.Raw(exponent(second, dice));
            case 19 -> Text.string(String.valueOf(second), dice);
            case 20 -> Text.string(second + digits(3, dice), dice);
            case 21 -> new Json.Raw(second + digits(3, dice) + "e-3");
            case 22 -> Text.string(stamp(second, "T") + "." + digits(9, dice) + dice.pick("Z", ""), dice);
            default -> new Json.Raw(String.valueOf(second * 1000));
        };
    }

    /** What no rule reads as a time, though some of it looks like one. */
    static Json bad(Dice dice) {
        return switch (dice.below(5)) {
            case 0 ->
                new Json.Raw(dice.pick("true", "false", "{}", "[]", "{\"$date\":\"2021-10-05\"}", "[\"2021-10-05\"]"));
            case 1 -> new Json.Raw("123456789012345678901234");
            case 2 -> Text.string(dice.pick("yesterday", "not a time", "n/a", "2021", "-", "T"), dice);
            case 3 -> Text.string(dice.pick("2021-10", "2021-278", "2021-W40-2", "05/10/2021", "2021/10/05"), dice);
            default ->
                Text.string(
                        dice.pick("2021-13-01", "2023-02-29T00:00:00Z", "2021-10-05T25:00:00Z", "2021-10-00"), dice);
        };
    }

    /** A number of eight digits that reads as a date. */
    static Json ambiguous(Dice dice) {
        return new Json.Raw("2021%02d%02d".formatted(dice.between(1, 12), dice.between(1, 28)));
    }

    private static String date(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        return "%04d-%02d-%02d".formatted(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
    }

    private static String stamp(long second, String separator) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        return "%04d-%02d-%02d%s%02d:%02d:%02d"
                .formatted(
                        time.getYear(),
                        time.getMonthValue(),
                        time.getDayOfMonth(),
                        separator,
                        time.getHour(),
                        time.getMinute(),
                        time.getSecond());
    }

    /** Local time with its offset: often of another day than the UTC one. */
    private static String withOffset(long second, Dice dice) {
        int quarters = dice.between(-48, 56);
        // A year that leaves 0001..9999 in local time is no form of the rule book.
        long local = second + quarters * 900L;
        if (local < LocalDate.of(1, 1, 2).toEpochDay() * DAY_SECONDS
                || local > LocalDate.of(9999, 12, 30).toEpochDay() * DAY_SECONDS) {
            return stamp(second, "T") + "Z";
        }
        int minutes = Math.abs(quarters) * 15;
        String sign = quarters < 0 ? "-" : "+";
        String text = stamp(local, dice.pick("T", " "));
        if (minutes % 60 == 0 && dice.chance(0.4)) {
            return text + sign + "%02d".formatted(minutes / 60);
        }
        return text + sign + "%02d%s%02d".formatted(minutes / 60, dice.pick("", ":"), minutes % 60);
    }

    private static String exponent(long second, Dice dice) {
        String digits = String.valueOf(second);
        int point = dice.between(1, digits.length() - 1);
        String e = dice.pick("e", "E") + dice.pick("", "+") + (digits.length() - point);
        return digits.substring(0, point) + "." + digits.substring(point) + e;
    }

    private static String digits(int count, Dice dice) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < count; i++) {
            out.append((char) ('0' + dice.below(10)));
        }
        return out.toString();
    }
}
