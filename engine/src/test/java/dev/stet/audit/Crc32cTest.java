package dev.stet.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Crc32cTest {
    @Test
    void the_checksum_of_a_concatenation_is_combined_from_its_parts() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 500; i++) {
            byte[] all = new byte[random.nextInt(0, 5_000)];
            random.nextBytes(all);
            int cut = random.nextInt(all.length + 1);
            int combined = Crc32c.combine(Crc32c.of(all, 0, cut), Crc32c.of(all, cut, all.length), all.length - cut);
            assertThat(combined).isEqualTo(Crc32c.of(all, 0, all.length));
        }
    }

    @Test
    void a_part_of_several_gigabytes_combines_too() {
        byte[] zeros = new byte[1 << 20];
        int mebibyte = Crc32c.of(zeros, 0, zeros.length);
        int byDoubling = mebibyte;
        for (long length = 1 << 20; length < 1L << 33; length *= 2) {
            byDoubling = Crc32c.combine(byDoubling, byDoubling, length);
        }
        int oneByOne = 0;
        for (int i = 0; i < 1 << 13; i++) {
            oneByOne = i == 0 ? mebibyte : Crc32c.combine(oneByOne, mebibyte, 1 << 20);
        }
        assertThat(byDoubling).isEqualTo(oneByOne);
    }

    @Test
    void an_empty_part_changes_nothing() {
        assertThat(Crc32c.combine(0x12345678, 0, 0)).isEqualTo(0x12345678);
    }
}
