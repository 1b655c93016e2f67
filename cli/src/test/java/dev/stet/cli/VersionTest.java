package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {

    @Test
    void theBuildFillsInTheVersion() {
        assertThat(Version.get()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }
}
