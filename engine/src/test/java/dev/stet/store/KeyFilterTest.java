package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyFilterTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        *.json          | a.json            | true
        *.json          | dir/a.json        | false
        *.json          | .json             | true
        *.json          | a.json.gz         | false
        **/*.json       | a.json            | true
        **/*.json       | dir/sub/a.json    | true
        **/x            | yx                | false
        **.json         | dir/sub/a.json    | true
        dir/**          | dir/sub/a.json    | true
        dir/**          | dir               | false
        dir/**          | dir/              | true
        dir/**/a.json   | dir/a.json        | true
        dir/**/a.json   | dir/x/y/a.json    | true
        dir/**/a.json   | dir/xa.json       | false
        dir/*/a.json    | dir/a.json        | false
        a?c             | abc               | true
        a?c             | a/c               | false
        a?c             | a😀c      | true
        [a-c]           | b                 | true
        [a-c]           | d                 | false
        [!a-c]          | d                 | true
        [^a-c]          | b                 | false
        x[!a]y          | x/y               | false
        []]             | ]                 | true
        [a-]            | -                 | true
        [[]             | [                 | true
        [.\\]]         | ]                 | true
        {a,b*}/c        | a/c               | true
        {a,b*}/c        | bcd/c             | true
        {a,b*}/c        | c/c               | false
        {2021,2022}-*   | 2022-10           | true
        a,b             | a,b               | true
        a}              | a}                | true
        \\*             | *                 | true
        \\*             | x                 | false
        a.c             | abc               | false
        a+(b)$^         | a+(b)$^           | true
        A               | a                 | false
        gr\u00FCn/*      | gr\u00FCn/x        | true
        """)
    void matchesWholeKeys(String glob, String key, boolean matches) {
        assertThat(KeyFilter.of(List.of(glob), List.of()).test(key)).isEqualTo(matches);
        assertThat(KeyFilter.of(List.of(), List.of(glob)).test(key)).isEqualTo(!matches);
    }

    @Test
    void excludesWinOverIncludes() {
        KeyFilter filter = KeyFilter.of(List.of("a/**", "b/**"), List.of("**/*.tmp", "b/old/**"));
        assertThat(List.of("a/x", "a/x.tmp", "b/x", "b/old/x", "c/x").stream().filter(filter))
                .containsExactly("a/x", "b/x");
        assertThat(KeyFilter.ALL.test("any/thing")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[", "[]", "[a", "[a-", "{", "{a", "{a,{b}}", "a\\", "[\\", "[b-a]"})
    void badGlobsAreNamed(String glob) {
        assertThatThrownBy(() -> KeyFilter.of(List.of(glob), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(glob.isEmpty() ? "empty" : glob);
    }

    /** No input may make it exponential. */
    @Test
    void manyStarsEndInTime() {
        KeyFilter filter = KeyFilter.of(List.of("**/a*a*a*a*b"), List.of());
        assertThat(filter.test("a/".repeat(50) + "a".repeat(100))).isFalse();
    }
}
