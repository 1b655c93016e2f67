package dev.stet.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimeTest {
    private static final DateTimeFormatter DECIMAL = DateTimeFormatter.ofPattern("uuuuMMddHHmm");

    @ParameterizedTest
    @CsvSource({
        "0, 197001010000",
        "-0, 197001010000",
        "0.0, 197001010000",
        "0e999999999999, 197001010000",
        "59, 197001010000",
        "60, 197001010001",
        "59.999999999999999999999, 197001010000",
        "-1, 196912312359",
        "-0.0000000001, 196912312359",
        "-1e-400, 196912312359",
        "1e-400, 197001010000",
        "1.7e9, 202311142213",
        "1588205198.5, 202004300006",
        "15882051985e-1, 202004300006",
        "0.0000000000000000001588205198e28, 202004300006",
        "1718409600, 202406150000",
        "1718409600000, 202406150000",
        "1718409600000000, 202406150000",
        "1718409600000000000, 202406150000",
        "1718409599999999999, 202406142359",
        "-1718409600001, 191507192359",
        "99999999999, 513811160946",
        "99999999999.9, 513811160946",
        "100000000000, 197303030946",
        "1e11, 197303030946",
        "99999999999999, 513811160946",
        "100000000000000, 197303030946",
        "99999999999999999, 513811160946",
        "100000000000000000, 197303030946",
        "99999999999999999999, 513811160946",
        "99999999999999999999.999, 513811160946",
        "-62135596800, 101010000",
        "20241301, 197008230635",
        "20240615.5, 197008230623",
        "-20240615, 196905111736",
        "2024061, 197001241014",
        "202406150, 197605311555",
    })
    void aNumberIsEpochInTheUnitItsSizeTells(String number, long minute) {
        assertThat(number(number)).isEqualTo(minute);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "100000000000000000000",
                "1e20",
                "1e400",
                "1e999999999999999999999999",
                "-1e400",
                "-62135596801",
                "-99999999999",
                "-62135596800.1"
            })
    void aNumberBeyondAllUnitsOrYearsIsBad(String number) {
        assertThat(number(number)).isEqualTo(EventTime.BAD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"20240615", "20240229", "10000101", "99991231", "20240615.0", "2.0240615e7", "202406150e-1"})
    void aNumberThatReadsAsADateIsAmbiguous(String number) {
        assertThat(number(number)).isEqualTo(EventTime.AMBIGUOUS);
    }

    @Test
    void anExponentOfMillionsOfDigitsCostsNoMoreThanReadingIt() {
        assertThat(number("1e" + "9".repeat(1_000_000))).isEqualTo(EventTime.BAD);
        assertThat(number("1e-" + "9".repeat(1_000_000))).isEqualTo(197001010000L);
        assertThat(number("0." + "0".repeat(999_990) + "17e1000000")).isEqualTo(202311142213L);
        assertThat(number("17" + "0".repeat(1_000_000) + "e-999992")).isEqualTo(202311142213L);
    }

    @ParameterizedTest
    @CsvSource({
        "1718409600, 202406150000",
        "1718409600000, 202406150000",
        "-1718409600, 191507200000",
        "1718409600.999, 202406150000",
        "123456789, 197311292133",
        "000000059, 197001010000",
        "00000000001718409600, 202406150000",
        "20240615, 202406150000",
        "00010101, 101010000",
        "99991231, 999912310000",
    })
    void aTextOfDigitsIsADateInEightAndEpochInNineOrMore(String text, long minute) {
        assertThat(text(text)).isEqualTo(minute);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "1234567",
                "12345678.5",
                "20241301",
                "20230229",
                "00000101",
                "-20240615",
                "+1718409600",
                "1718409600.",
                "1718409600.x",
                "1718409600e0",
                "1.7184096e9",
                " 1718409600",
                "1718409600 ",
                "100000000000000000000",
                "-",
                ".",
                "NaN"
            })
    void anyOtherTextOfDigitsIsBad(String text) {
        assertThat(text(text)).isEqualTo(EventTime.BAD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2024-06-15 | 202406150000",
                "2024-06-15T12:34 | 202406151234",
                "2024-06-15T12:34:56 | 202406151234",
                "2024-06-15t12:34:56z | 202406151234",
                "2024-06-15 12:34:56Z | 202406151234",
                "2024-06-15 12:34:56 UTC | 202406151234",
                "2024-06-15T12:34 GMT | 202406151234",
                "2024-06-15T12:34:56.123456789012345678901234567890Z | 202406151234",
                "2024-06-15T12:34:56,5+02:00 | 202406151034",
                "2024-06-15T12:34+02 | 202406151034",
                "2024-06-15T12:34-0230 | 202406151504",
                "2024-06-15T12:34-00:00 | 202406151234",
                "2024-06-15T23:59:59-23:59 | 202406162358",
                "2024-03-01T00:00+00:01 | 202402292359",
                "2023-03-01T00:00+00:01 | 202302282359",
                "2024-12-31T23:59:60Z | 202412312359",
                "2024-12-31T23:59:60.999Z | 202412312359",
                "2024-12-31T18:59:60-05:00 | 202412312359",
                "2024-12-31T24:00 | 202501010000",
                "2024-12-31T24:00:00.000Z | 202501010000",
                "2024-12-31T24:00:00+24:00 | -1",
                "2024-12-31T24:00:00+01:00 | 202412312300",
                "0001-01-01T00:00Z | 101010000",
                "0000-12-31T23:30-01:00 | 101010030",
                "9999-12-31T23:59:60Z | 999912312359",
                "2000-02-29 | 200002290000",
            })
    void isoDatesAndTimesAreReadAsUtc(String text, long minute) {
        assertThat(text(text)).isEqualTo(minute);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0001-01-01T00:00:00+00:01",
                "0000-06-15",
                "9999-12-31T24:00Z",
                "9999-12-31T23:59:59-00:01",
                "2024-00-10",
                "2024-13-01",
                "2024-06-00",
                "2024-06-31",
                "2023-02-29",
                "1900-02-29",
                "2024-06",
                "2024",
                "2024-6-15",
                "2024-06-15T",
                "2024-06-15T12",
                "2024-06-15T12Z",
                "2024-06-15T1234",
                "2024-06-15T12:3",
                "2024-06-15T12:60",
                "2024-06-15T25:00",
                "2024-06-15T24:01",
                "2024-06-15T24:00:01",
                "2024-06-15T24:00:00.1",
                "2024-06-15T24:00:60",
                "2024-06-15T12:34:61",
                "2024-06-15T12:34:5",
                "2024-06-15T12:34:56.",
                "2024-06-15T12:34:56.Z",
                "2024-06-15T12:34.5",
                "2024-06-15T12:34:56 Z",
                "2024-06-15T12:34:56 +02:00",
                "2024-06-15T12:34:56+2",
                "2024-06-15T12:34:56+02:0",
                "2024-06-15T12:34:56+02:60",
                "2024-06-15T12:34:56+24",
                "2024-06-15T12:34:56+020000",
                "2024-06-15T12:34:56utc",
                "2024-06-15T12:34:56UTC",
                "2024-06-15T12:34:56 utc",
                "2024-06-15T12:34:56 EST",
                "2024-06-15T12:34:56ZZ",
                "2024-06-15_12:34",
                "2024-06-15Z",
                "2024-06-15+02:00",
                " 2024-06-15",
                "2024-06-15 ",
                "+2024-06-15",
                "-2024-06-15",
                "12024-06-15",
                "2024-W24-6",
                "2024-167",
                "2024/06/15",
                "15-06-2024",
                "20240615T123456Z",
                "2024-06-15T12:34:56[UTC]",
                "2024-06-1５",
                "Sat, 15 Jun 2024 12:34:56 GMT",
                "yesterday",
                "----------",
                "x"
            })
    void anythingElseIsBad(String text) {
        assertThat(text(text)).isEqualTo(EventTime.BAD);
    }

    @Test
    void everyDayOfTheCalendarIsReadAndWrittenAsJavaTimeDoes() {
        var day = LocalDate.of(1, 1, 1);
        for (long epochDay = day.toEpochDay();
                epochDay <= LocalDate.of(9999, 12, 31).toEpochDay();
                epochDay++) {
            int decimal = 10_000 * day.getYear() + 100 * day.getMonthValue() + day.getDayOfMonth();
            if (Calendar.epochDay(day.getYear(), day.getMonthValue(), day.getDayOfMonth()) != epochDay
                    || Calendar.decimalMinute(epochDay * 1440 + 61) != decimal * 10_000L + 101
                    || !Calendar.isDate(decimal)) {
                assertThat(decimal).as("%s", day).isNegative();
            }
            day = day.plusDays(1);
        }
    }

    @Test
    void randomTimesWithOffsetsAreReadAsJavaTimeDoes() {
        var random = new Random(1);
        for (int i = 0; i < 30_000; i++) {
            var local = LocalDateTime.ofEpochSecond(
                    random.nextLong(-62_135_596_800L, 253_402_300_800L), random.nextInt(1_000_000_000), ZoneOffset.UTC);
            var time = OffsetDateTime.of(local, ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60 + 1)));
            var utc = time.withOffsetSameInstant(ZoneOffset.UTC);
            boolean inRange = utc.getYear() >= 1 && utc.getYear() <= 9999;
            assertThat(text(time.toString()))
                    .as("%s", time)
                    .isEqualTo(inRange ? Long.parseLong(DECIMAL.format(utc)) : EventTime.BAD);
        }
    }

    @Test
    void randomNumbersAreReadAsExactArithmeticDoes() {
        var random = new Random(2);
        for (int i = 0; i < 30_000; i++) {
            String text = randomNumber(random);
            assertThat(number(text)).as(text).isEqualTo(oracle(new BigDecimal(text)));
        }
    }

    private static String randomNumber(Random random) {
        var text = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
        int integerDigits = 1 + random.nextInt(21);
        text.append(integerDigits == 1 ? random.nextInt(10) : 1 + random.nextInt(9));
        for (int i = 1; i < integerDigits; i++) {
            text.append(random.nextInt(10));
        }
        if (random.nextBoolean()) {
            text.append('.');
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(random.nextInt(3) == 0 ? random.nextInt(10) : 0);
            }
        }
        if (random.nextBoolean()) {
            text.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(-25, 25));
        }
        return text.toString();
    }

    private static long oracle(BigDecimal number) {
        var size = number.abs();
        int shift = size.compareTo(new BigDecimal("1e11")) < 0
                ? 0
                : size.compareTo(new BigDecimal("1e14")) < 0
                        ? 3
                        : size.compareTo(new BigDecimal("1e17")) < 0
                                ? 6
                                : size.compareTo(new BigDecimal("1e20")) < 0 ? 9 : -1;
        if (shift < 0) {
            return EventTime.BAD;
        }
        boolean eightDigits = number.stripTrailingZeros().scale() <= 0
                && number.compareTo(new BigDecimal("1e7")) >= 0
                && number.compareTo(new BigDecimal("1e8")) < 0;
        if (eightDigits && isDate(number.intValueExact())) {
            return EventTime.AMBIGUOUS;
        }
        long seconds =
                number.movePointLeft(shift).setScale(0, RoundingMode.FLOOR).longValueExact();
        var utc = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
        return utc.getYear() >= 1 && utc.getYear() <= 9999 ? Long.parseLong(DECIMAL.format(utc)) : EventTime.BAD;
    }

    private static boolean isDate(int decimal) {
        var first = LocalDate.of(decimal / 10_000, 1, 1);
        var month = decimal / 100 % 100;
        var day = decimal % 100;
        return month >= 1
                && month <= 12
                && day >= 1
                && day <= first.plusMonths(month - 1L).lengthOfMonth();
    }

    @Test
    void randomDamageToATimeIsNeverMoreThanABadTime() {
        var random = new Random(3);
        byte[] alphabet = "0123456789-+:.,TtZz UTCGM/e".getBytes(UTF_8);
        for (int i = 0; i < 100_000; i++) {
            byte[] text = "2024-06-15T12:34:56.789+02:00".getBytes(UTF_8);
            for (int n = random.nextInt(4); n >= 0; n--) {
                text[random.nextInt(text.length)] = alphabet[random.nextInt(alphabet.length)];
            }
            int to = random.nextInt(text.length + 1);
            long minute = EventTime.ofText(text, random.nextInt(to + 1), to);
            assertThat(minute == EventTime.BAD || isMinute(minute))
                    .as("%d", minute)
                    .isTrue();
        }
    }

    private static boolean isMinute(long minute) {
        return Calendar.isDate((int) (minute / 10_000)) && minute / 100 % 100 < 24 && minute % 100 < 60;
    }

    @Test
    void aTimeOfAnyLengthIsReadInLinearTime() {
        String fraction = "9".repeat(2_000_000);
        assertThat(Duration.ofNanos(nanos(() -> text("2024-06-15T12:34:56." + fraction + "Z"))))
                .isLessThan(Duration.ofSeconds(5));
        assertThat(text("2024-06-15T12:34:56." + fraction + "Z")).isEqualTo(202406151234L);
    }

    private static long nanos(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static long number(String text) {
        byte[] bytes = ("[" + text + "]").getBytes(UTF_8);
        return EventTime.ofNumber(bytes, 1, bytes.length - 1);
    }

    private static long text(String text) {
        byte[] bytes = ("\"" + text + "\"").getBytes(UTF_8);
        return EventTime.ofText(bytes, 1, bytes.length - 1);
    }
}
