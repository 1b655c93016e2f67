package dev.stet.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FingerprintTest {
    /** Ledgers keep these bits for years: another hash would copy every archive again. */
    @Test
    void theBitsStayAsTheyAre() {
        assertThat(Fingerprint.of("raw/2021/10/05/a.gz", "d41d8cd98f00b204e9800998ecf8427e", 0))
                .isEqualTo(new Fingerprint(-4814667579588021089L, 25960, 24013113195496L));
        assertThat(Fingerprint.of("\u00e9\ud83d\ude00", "x-2", 1L << 40))
                .isEqualTo(new Fingerprint(-4567571233793017441L, 7399, 181200591126602L));
    }

    @Test
    void keyBitsDependOnTheKeyAlone() {
        Fingerprint f = Fingerprint.of("k", "e", 1);
        for (Fingerprint other : List.of(
                Fingerprint.of("k", "e", 2),
                Fingerprint.of("k", "f", 1),
                Fingerprint.of("k", "", 0),
                Fingerprint.ofKey("k"))) {
            assertThat(f.sameKey(other)).isTrue();
            assertThat(other.identity()).isNotEqualTo(f.identity());
        }
        assertThat(f.sameKey(Fingerprint.of("K", "e", 1))).isFalse();
        assertThat(Fingerprint.of("K", "e", 1).identity()).isEqualTo(f.identity());
    }

    @Test
    void etagAndSizeAreNotRunTogether() {
        assertThat(Fingerprint.of("k", "1", 23).identity())
                .isNotEqualTo(Fingerprint.of("k", "12", 3).identity());
    }

    @Test
    void everyBitIsUsedAndNoneBeyond() {
        SplittableRandom r = new SplittableRandom(3);
        long high = 0;
        int low = 0;
        long identity = 0;
        Set<Fingerprint> all = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            Fingerprint f = Fingerprint.of("key " + r.nextLong(), "etag " + r.nextLong(), i);
            all.add(f);
            high |= f.keyHigh();
            low |= f.keyLow();
            identity |= f.identity();
            assertThat(f.keyLow()).isBetween(0, 0xffff);
            assertThat(f.identity()).isBetween(0L, (1L << 48) - 1);
        }
        assertThat(all).hasSize(2_000);
        assertThat(high).isEqualTo(-1);
        assertThat(low).isEqualTo(0xffff);
        assertThat(identity).isEqualTo((1L << 48) - 1);
    }
}
