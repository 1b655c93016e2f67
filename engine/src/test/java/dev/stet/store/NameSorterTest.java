package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NameSorterTest {
    private static final String[] LETTERS = {
        "a", "b", "-", ".", "/", "0", "\u007F", "\u00E4", "\uE000", "\uFFFD", "\uD83D\uDE00", "\uDBFF\uDFFF"
    };

    @TempDir
    Path folder;

    @Test
    void sortsAsUtf8Bytes() throws IOException {
        Random random = new Random(1);
        for (int count : new int[] {0, 1, 2, 3, 10, 500, 5_000}) {
            for (int limit : new int[] {1 + count / 30, 1 + count / 3, count + 1}) {
                List<String> names = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    names.add(name(random));
                }
                NameSorter sorter = new NameSorter(folder, limit);
                for (String name : names) {
                    sorter.add(name);
                }
                assertThat(sorter.spilledFiles()).isEqualTo(count == 0 ? 0 : (count - 1) / limit);
                names.sort(KeyOrder.UTF8);
                assertThat(drain(sorter.finish())).isEqualTo(names);
                assertThat(folder).isEmptyDirectory();
            }
        }
    }

    @Test
    void longNamesFillBlocks() throws IOException {
        NameSorter sorter = new NameSorter(folder, 50);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            names.add(String.valueOf((char) ('a' + i % 26)).repeat(900) + "%03d".formatted(i));
        }
        for (String name : names) {
            sorter.add(name);
        }
        names.sort(null);
        assertThat(drain(sorter.finish())).isEqualTo(names);
        NameList list = new NameList();
        assertThatThrownBy(() -> list.add(new byte[20_000])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void givenUpItFreesItsFiles() throws IOException {
        NameSorter sorter = new NameSorter(folder, 1);
        sorter.add("b");
        sorter.add("a");
        assertThat(sorter.spilledFiles()).isEqualTo(1);
        sorter.abandon();
        assertThat(sorter.spilledFiles()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatCannotBeWrittenStopsTheRun() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        NameSorter sorter = new NameSorter(file.resolve("below"), 1);
        sorter.add("a");
        assertThatThrownBy(() -> sorter.add("b"))
                .isInstanceOf(StoreException.class)
                .hasMessage("not a directory: " + file);
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder();
        for (int n = random.nextInt(6); n >= 0; n--) {
            name.append(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return name.toString();
    }

    private static List<String> drain(SortedNames sorted) throws IOException {
        try (sorted) {
            List<String> names = new ArrayList<>();
            for (Optional<String> name = sorted.next(); name.isPresent(); name = sorted.next()) {
                names.add(name.get());
            }
            return names;
        }
    }
}
