package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.config.ConfigSection;
import dev.stet.run.Ledgers;
import dev.stet.run.LocalEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Holds docs/configuration.md to the parser, both ways. */
class ConfigurationTableTest {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final Map<String, List<String[]>> tables = new LinkedHashMap<>();

    ConfigurationTableTest() throws IOException {
        String heading = "";
        for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
            if (line.startsWith("#")) {
                heading = line.replaceFirst("#+ ", "");
            } else if (line.startsWith("|") && !line.startsWith("|---") && !line.startsWith("| key |")) {
                tables.computeIfAbsent(heading, h -> new ArrayList<>()).add(line.split("\\|", -1));
            }
        }
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell).results().map(m -> m.group(1)).toList();
    }

    @ParameterizedTest
    @EnumSource
    void keys(ConfigSection section) {
        assertThat(tables).containsKey(section.title());
        List<String> documented = tables.get(section.title()).stream()
                .map(row -> code(row[1]).get(0))
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(section.used());
    }

    @Test
    void flags() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        CommandLine line = new Cli(new Surroundings(
                        nowhere,
                        nowhere,
                        Path.of(""),
                        name -> Optional.empty(),
                        new Terminal(),
                        LocalEngine::new,
                        Ledgers.NONE))
                .commandLine();
        TreeSet<String> known = new TreeSet<>();
        for (String command : List.of("copy", "sync")) {
            line.getSubcommands().get(command).getCommandSpec().options().forEach(o -> known.add(o.longestName()));
        }
        known.remove("--help");
        TreeSet<String> documented = new TreeSet<>();
        tables.values().stream()
                .flatMap(List::stream)
                .filter(row -> row.length > 4)
                .forEach(row -> documented.addAll(code(row[2])));
        assertThat(documented).isEqualTo(known);
    }

    @Test
    void keysWithoutMeaning() {
        for (String[] row : tables.get("Keys of other engines")) {
            for (ConfigSection section : ConfigSection.values()) {
                if (section.title().equals(row[1].strip())) {
                    assertThat(code(row[2])).containsExactlyInAnyOrderElementsOf(section.ignored());
                }
            }
        }
        for (ConfigSection section : ConfigSection.values()) {
            boolean listed = tables.get("Keys of other engines").stream()
                    .anyMatch(row -> row[1].strip().equals(section.title()));
            assertThat(listed).as(section.title()).isEqualTo(!section.ignored().isEmpty());
        }
    }

    @Test
    void refusedKeys() throws IOException {
        String text = Files.readString(Path.of("../docs/configuration.md"));
        String paragraph = text.substring(text.indexOf("These are refused"), text.indexOf("## Output"));
        assertThat(code(paragraph))
                .containsExactlyInAnyOrderElementsOf(
                        ConfigSection.TRANSFORM.refused().keySet());
    }
}
