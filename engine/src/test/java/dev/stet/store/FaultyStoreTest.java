package dev.stet.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.faults.InjectedFailure;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FaultyStoreTest {
    private static final byte[] X = {'x'};
    private static final int CRC = ObjectStoreContract.crc(X);

    private final InMemoryStore memory = new InMemoryStore();

    private static ObjectWriter.Outcome create(ObjectStore store) throws IOException {
        try (ObjectWriter writer = store.create("k")) {
            writer.write(X, 0, 1);
            return writer.complete(CRC);
        }
    }

    @Test
    void countsCallsAndPassesThemOn() throws IOException {
        FaultPlan plan = FaultPlan.none();
        FaultyStore store = new FaultyStore(memory, plan);
        assertThat(create(store)).isEqualTo(ObjectWriter.Outcome.CREATED);
        assertThat(store.readBack("k")).isPresent();
        store.flush();
        assertThat(plan.log()).containsExactly("create k", "write", "complete", "readBack k", "flush");
    }

    @Test
    void aFailedCallHasNoEffect() {
        for (int n = 1; n <= 3; n++) {
            FaultyStore store = new FaultyStore(memory, FaultPlan.at(n, Fault.FAIL));
            assertThatThrownBy(() -> create(store)).isInstanceOf(InjectedFailure.class);
            assertThat(memory.keys()).isEmpty();
        }
        // Begun and not ended, as by a process that died: the two whose creation went through.
        assertThat(memory.uploads()).isEqualTo(2);
    }

    @Test
    void aLostAnswerHidesAnEffect() throws IOException {
        FaultyStore store = new FaultyStore(memory, FaultPlan.at(3, Fault.LOSE));
        assertThatThrownBy(() -> create(store)).isInstanceOf(UnknownOutcomeException.class);
        assertThat(store.readBack("k")).contains(new StoredObject(1, CRC));
        assertThat(memory.uploads()).isZero();
    }

    @Test
    void aLostCreationLeavesAnUnfinishedWrite() throws IOException {
        FaultyStore store = new FaultyStore(memory, FaultPlan.at(1, Fault.LOSE));
        assertThatThrownBy(() -> create(store)).isInstanceOf(UnknownOutcomeException.class);
        assertThat(memory.uploads()).isEqualTo(1);
        store.abortUploads("k");
        assertThat(memory.uploads()).isZero();
    }

    @Test
    void aDelayedCompletionComesLater() throws IOException {
        FaultPlan plan = FaultPlan.at(3, Fault.DELAY);
        FaultyStore store = new FaultyStore(memory, plan);
        assertThatThrownBy(() -> create(store)).isInstanceOf(UnknownOutcomeException.class);
        assertThat(memory.keys()).isEmpty();
        assertThat(plan.deliver()).isEqualTo(List.of(ObjectWriter.Outcome.CREATED));
        assertThat(memory.keys()).containsExactly("k");
    }

    @Test
    void aDelayedCompletionFindsWhatHappenedMeanwhile() throws IOException {
        FaultPlan plan = FaultPlan.at(3, Fault.DELAY);
        assertThatThrownBy(() -> create(new FaultyStore(memory, plan))).isInstanceOf(UnknownOutcomeException.class);
        create(memory);
        assertThat(plan.deliver()).isEqualTo(List.of(ObjectWriter.Outcome.EXISTS));

        FaultPlan fenced = FaultPlan.at(3, Fault.DELAY);
        memory.delete("k");
        assertThatThrownBy(() -> create(new FaultyStore(memory, fenced))).isInstanceOf(UnknownOutcomeException.class);
        memory.abortUploads("k");
        assertThat(fenced.deliver()).hasSize(1).allMatch(StoreException.class::isInstance);
        assertThat(memory.keys()).isEmpty();
    }

    @Test
    void theSourceFailsAtEveryStepToo() throws IOException {
        memory.put("k", X);
        int failures = 0;
        long calls = 0;
        for (long n = 1; n <= calls || calls == 0; n++) {
            FaultPlan plan = FaultPlan.crashAt(n, Fault.FAIL);
            try {
                read(new FaultySource(memory, plan));
            } catch (InjectedFailure e) {
                failures++;
            }
            if (calls == 0) {
                FaultPlan none = FaultPlan.none();
                read(new FaultySource(memory, none));
                calls = none.calls();
            }
        }
        assertThat(calls).isGreaterThanOrEqualTo(4);
        assertThat(failures).isEqualTo((int) calls);
    }

    private static void read(SourceStore source) throws IOException {
        try (ObjectListing listing = source.list(KeyRange.ALL)) {
            Optional<ListEntry> entry = listing.next();
            try (ObjectRead read = source.open((ObjectInfo) entry.orElseThrow())) {
                assertThat(read.body().readAllBytes()).isEqualTo(X);
                assertThat(read.finish().key()).isEqualTo("k");
            }
        }
    }
}
