package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Context given and context that cannot be. */
final class SettingsTest {
    private static final Map<String, Object> LEAST = Map.of("sourceBucket", "devices", "sinkBucket", "lake");

    @Test
    void twoBucketsAreEnough() {
        Settings settings = Synthesis.settings(LEAST);
        assertThat(settings.sourceBuckets()).containsExactly("devices");
        assertThat(settings.sinkBuckets()).containsExactly("lake");
        assertThat(settings.jwt()).isEmpty();
        assertThat(settings.retain()).isTrue();
    }

    @Test
    void severalBucketsStandWithCommas() {
        assertThat(with("sourceBucket", "devices, gates").sourceBuckets()).containsExactly("devices", "gates");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sourceBucket    |                     | name an existing bucket: -c sourceBucket=BUCKET
                    sinkBucket      | s3://lake           | sinkBucket: not the name of a bucket: s3://lake
                    jwtIssuer       | https://example.com | jwtIssuer and jwtAudience go together
                    jwtAudience     | elt                 | jwtIssuer and jwtAudience go together
                    domain          | example.com         | domain and certificateArn go together
                    copyConcurrency | many                | copyConcurrency: a number from 1 to 10000, not many
                    copyConcurrency | 0                   | copyConcurrency: a number from 1 to 10000, not 0
                    retain          | no                  | retain: true or false, not no
                    """)
    void whatCannotBeIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> with(name, value == null ? "" : value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anIssuerIsAnHttpsAddress() {
        Map<String, Object> context = new HashMap<>(LEAST);
        context.put("jwtIssuer", "login.example.com");
        context.put("jwtAudience", "elt");
        assertThatThrownBy(() -> Synthesis.settings(context)).hasMessageContaining("not an https:// address");
    }

    private static Settings with(String name, Object value) {
        Map<String, Object> context = new HashMap<>(LEAST);
        context.put(name, value);
        return Synthesis.settings(context);
    }
}
