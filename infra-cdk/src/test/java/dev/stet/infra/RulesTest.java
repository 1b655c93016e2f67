package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others' rules say of the templates. */
final class RulesTest {
    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL, Synthesis.BRIEF, Synthesis.AGAIN, Synthesis.PIPELINES})
    void cdkAndItsSecurityRulesHaveNothingToSay(String stack) {
        assertThat(Synthesis.complaints(stack)).isEmpty();
    }

    @Test
    void cfnLintHasNothingToSay() throws Exception {
        assertThat(CfnLint.complaints(List.of(
                        Synthesis.file(Synthesis.PLAIN),
                        Synthesis.file(Synthesis.FULL),
                        Synthesis.file(Synthesis.AGAIN),
                        Synthesis.file(Synthesis.PIPELINES))))
                .isEmpty();
    }
}
