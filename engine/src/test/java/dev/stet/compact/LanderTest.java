package dev.stet.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stet.faults.FaultPlan;
import dev.stet.store.FaultyStore;
import dev.stet.store.InMemoryStore;
import dev.stet.store.ObjectStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told when landing fails and cleaning up fails too. */
final class LanderTest {
    private static final byte[] BYTES = {1, 2, 3};
    private static final int WRONG = 4711;

    @Test
    void aRefusedAbortDoesNotHideWhatLedToIt() {
        FaultPlan quiet = FaultPlan.none();
        assertThat(failure(quiet)).hasMessageContaining("fail their checksum");
        long abort = quiet.log().indexOf("abort") + 1L;
        assertThat(abort).isPositive();
        Throwable failure = failure(FaultPlan.at(abort, FaultPlan.Fault.FAIL));
        assertThat(failure).hasMessageContaining("fail their checksum");
        assertThat(failure.getSuppressed()).hasSize(1);
    }

    @Test
    void norDoesASinkThatCanNoLongerBeAsked() {
        FaultPlan quiet = FaultPlan.none();
        Throwable _ = failure(quiet);
        Throwable failure = failure(FaultPlan.crashAt(quiet.log().indexOf("abort") + 1L, FaultPlan.Fault.FAIL));
        assertThat(failure).hasMessageContaining("fail their checksum");
        assertThat(failure.getSuppressed()).hasSize(2);
    }

    private static Throwable failure(FaultPlan plan) {
        Output output = new Output("k", 0, 0, List.of(new Part.Literal(BYTES)), BYTES.length, WRONG);
        ObjectStore sink = new FaultyStore(new InMemoryStore(), plan);
        Header header = new Header("p", 1, 1_000, false, List.of());
        try (Lander lander = new Lander(header, new InMemoryStore(), sink, 1 << 20, () -> false, _ -> {})) {
            return catchThrowable(() -> lander.land(new LandingTask(List.of(output)), false));
        }
    }
}
