package dev.stet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/api.md} is the contract's. With {@code -Dstet.docs.write=true} it is written anew. */
class ApiPageTest {
    @Test
    void thePageIsCurrent() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs").resolve("api.md");
        String current = ApiPage.of(Contract.load().document());
        if (Boolean.getBoolean("stet.docs.write")) {
            Files.writeString(page, current);
        }
        assertThat(Files.readString(page))
                .as("write it anew: ./mvnw -pl functions -am test -Dtest=ApiPageTest -DargLine=-Dstet.docs.write=true")
                .isEqualTo(current);
    }
}
