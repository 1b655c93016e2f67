package dev.stet.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigestTest {
    private static List<byte[]> records(int n) {
        Random random = new Random(3);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            byte[] r = new byte[random.nextInt(3_000)];
            random.nextBytes(r);
            records.add(r);
        }
        return records;
    }

    private static Digest of(List<byte[]> records) {
        DigestBuilder b = new DigestBuilder();
        records.forEach(r -> b.add(r, 0, r.length));
        return b.digest();
    }

    @Test
    void it_adds_up_over_any_split_in_any_order() {
        List<byte[]> records = records(300);
        Digest whole = of(records);
        Collections.shuffle(records, new Random(9));
        Digest sum =
                of(records.subList(0, 100)).plus(of(records.subList(100, 101))).plus(of(records.subList(101, 300)));
        assertThat(sum).isEqualTo(whole);
        assertThat(whole.count()).isEqualTo(300);
    }

    @Test
    void a_record_in_pieces_counts_as_the_whole() {
        for (byte[] r : records(50)) {
            DigestBuilder pieces = new DigestBuilder();
            int cut = r.length / 3;
            pieces.addPiece(r, 0, cut);
            pieces.addPiece(r, cut, r.length);
            pieces.endPieces();
            assertThat(pieces.digest()).isEqualTo(of(List.of(r)));
        }
    }

    @Test
    void one_changed_byte_and_one_doubled_record_show() {
        List<byte[]> records = records(20);
        Digest before = of(records);
        List<byte[]> doubled = new ArrayList<>(records);
        doubled.set(3, records.get(4));
        assertThat(of(doubled)).isNotEqualTo(before);
        records.get(7)[0] ^= 1;
        assertThat(of(records)).isNotEqualTo(before);
    }

    @Test
    void its_text_is_read_back() {
        Digest d = of(records(5));
        assertThat(Digest.parse(d.toString())).isEqualTo(d);
        assertThatIllegalArgumentException().isThrownBy(() -> Digest.parse("1:2:3"));
    }
}
