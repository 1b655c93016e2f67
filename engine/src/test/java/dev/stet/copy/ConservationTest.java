package dev.stet.copy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.audit.Digest;
import dev.stet.record.Reason;
import dev.stet.stage.BundleSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Invariant 5: no commit counts whose slices do not hold what was framed. */
class ConservationTest {
    private static final Digest TWO = new Digest(2, 20, 3, 4);

    private static BundleSummary staged(Digest records, Map<String, Long> quarantined) {
        return new BundleSummary(100, 1, records, quarantined, 20, List.of());
    }

    private static void check(Digest framed, Map<Reason, Long> setAside, BundleSummary staged) {
        Conservation.check("c", framed, setAside, staged);
    }

    @Test
    void what_was_framed_is_staged() {
        assertThatCode(() -> check(
                        TWO, Map.of(Reason.MISSING_TIME, 2L), staged(TWO, Map.of(Reason.MISSING_TIME.wireName(), 2L))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_record_less_or_more_and_another_records_bytes_are_refused() {
        for (Digest other : List.of(
                new Digest(1, 20, 3, 4), new Digest(3, 20, 3, 4), new Digest(2, 21, 3, 4), new Digest(2, 20, 3, 5))) {
            assertThatThrownBy(() -> check(TWO, Map.of(), staged(other, Map.of())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not hold what was read");
        }
    }

    @Test
    void an_item_set_aside_that_is_not_staged_as_such_is_refused() {
        Map<Reason, Long> one = Map.of(Reason.MISSING_TIME, 1L);
        for (Map<String, Long> other : List.of(
                Map.<String, Long>of(),
                Map.of(Reason.MISSING_TIME.wireName(), 2L),
                Map.of(Reason.MISSING_PARTITION.wireName(), 1L))) {
            assertThatThrownBy(() -> check(TWO, one, staged(TWO, other))).isInstanceOf(IllegalStateException.class);
        }
    }
}
