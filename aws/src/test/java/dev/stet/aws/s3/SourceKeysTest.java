package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.Unlistable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Prefixes as users write them, and what lies beside. */
class SourceKeysTest extends StubTest {
    private static final List<String> BUCKET_KEYS = List.of(
            "a/ra",
            "a/raw",
            "a/raw!",
            "a/raw-1/x",
            "a/raw/",
            "a/raw/!",
            "a/raw/-",
            "a/raw/.hidden",
            "a/raw/..0",
            "a/raw/k",
            "a/raw/k/l",
            "a/raw//double",
            "a/raw/\uD83D\uDE00",
            "a/raw0",
            "a/raw2/b",
            "a/raw2/c",
            "a/raz",
            "b");

    private void fill() {
        BUCKET_KEYS.forEach(k -> stub.objects().put(k, k.getBytes(UTF_8)));
    }

    @Test
    void aFolderLosesItsNameWithOrWithoutSlash() throws Exception {
        fill();
        assertThat(keys(source("a/raw/")))
                .containsExactly("!", "-", "../raw/", "..0", ".hidden", "/double", "k", "k/l", "\uD83D\uDE00");
    }

    @Test
    void aStringPrefixAlsoTakesWhatLiesBeside() throws Exception {
        fill();
        assertThat(keys(source("a/raw")))
                .containsExactly(
                        "!",
                        "-",
                        "../raw",
                        "../raw!",
                        "../raw-1/x",
                        "../raw/",
                        "../raw0",
                        "../raw2/b",
                        "../raw2/c",
                        "..0",
                        ".hidden",
                        "/double",
                        "k",
                        "k/l",
                        "\uD83D\uDE00");
    }

    @Test
    void aPartOfANameIsAPrefixToo() throws Exception {
        fill();
        assertThat(keys(source("a/raw2"))).containsExactly("b", "c");
        assertThat(keys(source("a/r"))).hasSize(17).allMatch(k -> k.startsWith("../ra"));
        assertThat(keys(source("")))
                .containsExactlyElementsOf(
                        BUCKET_KEYS.stream().sorted(KeyOrder.UTF8).toList());
    }

    @Test
    void everyObjectHasOneKeyAndIsFoundByIt() throws Exception {
        fill();
        for (String prefix : List.of("", "a", "a/", "a/r", "a/raw", "a/raw/", "a/raw2", "b")) {
            S3Source source = source(prefix);
            Set<String> seen = new TreeSet<>();
            for (ListEntry entry : list(source, KeyRange.ALL)) {
                assertThat(seen.add(entry.key())).isTrue();
                byte[] content = read(source, (ObjectInfo) entry);
                assertThat(new SourceKeys(prefix).full(entry.key())).isEqualTo(new String(content, UTF_8));
                assertThat(source.head(entry.key())).isPresent();
            }
            assertThat(seen).hasSize((int)
                    BUCKET_KEYS.stream().filter(k -> k.startsWith(prefix)).count());
        }
    }

    @Test
    void anyRangeHoldsItsKeysInOrder() throws Exception {
        fill();
        for (String prefix : List.of("a/r", "a/raw", "a/raw/")) {
            S3Source source = source(prefix);
            List<String> all = keys(source);
            assertThat(all).isSortedAccordingTo(KeyOrder.UTF8);
            List<String> bounds = new ArrayList<>(all);
            bounds.addAll(List.of("", "..", "../", "../a", "../raw2", "../raw2/bb", "../z", "..0", "z"));
            for (String after : bounds) {
                for (String upTo : bounds.stream()
                        .filter(b -> b.hashCode() % 4 == after.hashCode() % 4)
                        .toList()) {
                    KeyRange range = new KeyRange(after, Optional.of(upTo));
                    assertThat(list(source, range))
                            .as("%s %s", prefix, range)
                            .extracting(ListEntry::key)
                            .containsExactlyElementsOf(
                                    all.stream().filter(range::contains).toList());
                }
                KeyRange open = new KeyRange(after, Optional.empty());
                assertThat(list(source, open))
                        .extracting(ListEntry::key)
                        .containsExactlyElementsOf(
                                all.stream().filter(open::contains).toList());
            }
        }
    }

    @Test
    void aKeyThatLooksLikeOneBesideIsNotTaken() throws Exception {
        stub.objects().put("a/raw/../raw2/b", new byte[1]);
        stub.objects().put("a/raw2/b", new byte[1]);
        assertThat(list(source("a/raw"), KeyRange.ALL))
                .filteredOn(Unlistable.class::isInstance)
                .hasSize(1);
        assertThat(keys(source("a/raw/../raw2/"))).containsExactly("b");
    }
}
