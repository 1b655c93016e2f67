package dev.stet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingValuesTest {
    private static final Setting SETTING = new Setting("--memory");

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "512k, 524288",
        "512K, 524288",
        "64MiB, 67108864",
        "64 mib, 67108864",
        "2Gi, 2147483648",
        "1GB, 1000000000",
        "3tb, 3000000000000",
        "17b, 17",
        "1t, 1099511627776"
    })
    void sizes(String text, long bytes) throws ConfigException {
        assertThat(SettingValues.size(text, SETTING)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "k", "1x", "1kk", "1.5g", "1 g b", "9999999t", "99999999999999999999", "１"})
    void notSizes(String text) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> SettingValues.size(text, SETTING))
                .withMessageStartingWith("--memory: \"" + text + "\" is not a size; ")
                .withMessageContaining("64MiB");
    }

    @Test
    void formatsThatComeLaterSaySo() {
        for (String format : new String[] {"csv", "XML"}) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> SettingValues.format(format, SETTING))
                    .withMessageContaining(format)
                    .withMessageContaining("comes later");
        }
    }

    @Test
    void aLongOrBrokenValueIsShownOnOneLine() {
        assertThat(SettingValues.quote("a\nb")).isEqualTo("\"a\\nb\"");
        assertThat(SettingValues.quote("x".repeat(1000))).hasSizeLessThan(210);
    }

    @Test
    void theNearestWord() {
        assertThat(Nearest.to("pth", java.util.List.of("format", "path"))).contains("path");
        assertThat(Nearest.edits("ab", "ba")).isEqualTo(1);
        assertThat(Nearest.edits("", "abc")).isEqualTo(3);
        assertThat(Nearest.edits("kitten", "sitting")).isEqualTo(3);
    }
}
