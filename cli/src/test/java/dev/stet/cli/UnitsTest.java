package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.audit.Digest;
import dev.stet.run.RunCounters;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0;0 bytes",
                "999;999 bytes",
                "1000;1.0 kB",
                "999949;999.9 kB",
                "999950;1.0 MB",
                "1234567;1.2 MB",
                "9223372036854775807;9,223.4 PB"
            })
    void bytes(long n, String text) {
        assertThat(Units.bytes(n)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"0;0.0 s", "59999;60.0 s", "60000;1 min 0 s", "3600000;1 h 0 min", "180000000;2 d 2 h"})
    void durations(long millis, String text) {
        assertThat(Units.duration(millis)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"0;0", "999;999", "1000;1,000", "-1000;-1,000", "-100;-100", "1234567;1,234,567"})
    void numbers(long n, String text) {
        assertThat(Units.number(n)).isEqualTo(text);
    }

    @Test
    void theProgressLine() {
        assertThat(ProgressLine.text("copying", counters(0, 1000, true), 100))
                .isEqualTo("copying: 1 object, 2 records, 100 bytes/s, 10.0 s left");
        assertThat(ProgressLine.text("copying", counters(0, 1000, false), 100))
                .isEqualTo("copying: 1 object, 2 records, 100 bytes/s, more than 10.0 s left");
        assertThat(ProgressLine.text("landing", counters(7, 0, true), 0))
                .isEqualTo("landing: 1 object, 2 records, 7 landed");
    }

    private static RunCounters counters(long landed, long toRead, boolean listed) {
        return new RunCounters(1, 0, 0, 2, Map.of(), landed, 0, 0, toRead, Digest.EMPTY, listed);
    }
}
