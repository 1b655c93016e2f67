package dev.stet.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageEntriesTest {
    /** The key bits, in unsigned order: what an entry is known by. */
    private record Key(long high, int low) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.<Key, Long>comparing(k -> k.high, Long::compareUnsigned)
                .thenComparingInt(k -> k.low);

        static Key of(Fingerprint f) {
            return new Key(f.keyHigh(), f.keyLow());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private static final long[] HIGHS = {0, 1, 2, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1};
    private static final int[] LOWS = {0, 1, 0x7fff, 0x8000, 0xffff};
    private static final long MAX_IDENTITY = (1L << 48) - 1;

    /** From a small domain, so that keys meet again and every sign bit is used. */
    private static Fingerprint random(SplittableRandom r) {
        long identity = switch (r.nextInt(4)) {
            case 0 -> 0;
            case 1 -> MAX_IDENTITY;
            default -> r.nextLong(MAX_IDENTITY + 1);
        };
        return new Fingerprint(HIGHS[r.nextInt(HIGHS.length)], LOWS[r.nextInt(LOWS.length)], identity);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void behavesAsASortedMap(long seed) {
        SplittableRandom r = new SplittableRandom(seed);
        PageEntries entries = PageEntries.EMPTY;
        TreeMap<Key, Long> oracle = new TreeMap<>();
        for (int step = 0; step < 300; step++) {
            PageEntries before = entries;
            byte[] beforeBytes = before.packed();
            switch (r.nextInt(4)) {
                case 0 -> {
                    long highs = r.nextLong();
                    entries = entries.filter(f -> (highs >>> (f.keyHigh() & 63) & 1) == 0);
                    oracle.keySet().removeIf(k -> (highs >>> (k.high & 63) & 1) != 0);
                }
                case 1 -> entries = PageEntries.unpack(entries.packed());
                default -> {
                    List<Fingerprint> added = new ArrayList<>();
                    for (int i = r.nextInt(12); i > 0; i--) {
                        added.add(random(r));
                    }
                    entries = entries.with(added);
                    added.forEach(f -> oracle.put(Key.of(f), f.identity()));
                }
            }
            assertThat(before.packed()).as("immutable").isEqualTo(beforeBytes);
            assertSame(entries, oracle);
            Fingerprint probe = random(r);
            Long identity = oracle.get(Key.of(probe));
            assertThat(entries.identityOf(probe))
                    .isEqualTo(identity == null ? OptionalLong.empty() : OptionalLong.of(identity));
            assertThat(entries.holds(probe)).isEqualTo(identity != null && identity == probe.identity());
        }
    }

    private static void assertSame(PageEntries entries, Map<Key, Long> oracle) {
        assertThat(entries.size()).isEqualTo(oracle.size());
        assertThat(entries.packed()).hasSize(oracle.size() * PageEntries.ENTRY_BYTES);
        int i = 0;
        for (Map.Entry<Key, Long> e : oracle.entrySet()) {
            Fingerprint f = new Fingerprint(e.getKey().high, e.getKey().low, e.getValue());
            assertThat(entries.get(i++)).isEqualTo(f);
            assertThat(entries.holds(f)).isTrue();
        }
    }

    /** Ledgers keep these bytes for years. */
    @Test
    void theFormStaysAsItIs() {
        Fingerprint first = new Fingerprint(0x0102030405060708L, 0x090a, 0x0b0c0d0e0f10L);
        Fingerprint last = new Fingerprint(-1, 0xffff, MAX_IDENTITY);
        assertThat(HexFormat.of()
                        .formatHex(PageEntries.EMPTY.with(List.of(last, first)).packed()))
                .isEqualTo("0102030405060708090a0b0c0d0e0f10" + "f".repeat(32));
    }

    @Test
    void aNewerVersionReplacesTheOlder() {
        Fingerprint v1 = Fingerprint.of("key", "one", 1);
        Fingerprint v2 = Fingerprint.of("key", "two", 1);
        PageEntries entries = PageEntries.EMPTY.with(List.of(v1)).with(List.of(v2));
        assertThat(entries.size()).isEqualTo(1);
        assertThat(entries.holds(v1)).isFalse();
        assertThat(entries.holds(v2)).isTrue();
        assertThat(entries.identityOf(Fingerprint.ofKey("key"))).hasValue(v2.identity());
        assertThat(PageEntries.EMPTY.with(List.of(v1, v2)).holds(v2)).isTrue();
        assertThat(PageEntries.EMPTY.with(List.of(v2, v1)).holds(v1)).isTrue();
    }

    @Test
    void whatComesOutOrWentInIsNotShared() {
        PageEntries entries = PageEntries.EMPTY.with(List.of(Fingerprint.of("a", "e", 1)));
        byte[] bytes = entries.packed();
        PageEntries unpacked = PageEntries.unpack(bytes);
        bytes[0] ^= 1;
        assertThat(unpacked).isEqualTo(entries).hasSameHashCodeAs(entries);
        entries.packed()[0] ^= 1;
        assertThat(unpacked).isEqualTo(entries).isNotEqualTo(PageEntries.EMPTY);
    }

    @Test
    void cutBytesAreDamage() {
        assertThatIllegalArgumentException().isThrownBy(() -> PageEntries.unpack(new byte[15]));
        assertThat(PageEntries.unpack(new byte[0])).isEqualTo(PageEntries.EMPTY);
    }
}
