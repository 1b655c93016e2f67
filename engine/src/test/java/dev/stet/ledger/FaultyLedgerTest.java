package dev.stet.ledger;

import static dev.stet.ledger.Ledger.Outcome.APPLIED;
import static dev.stet.ledger.Ledger.Outcome.REFUSED;
import static dev.stet.ledger.LedgerUnderTest.uploading;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.faults.FaultPlan;
import dev.stet.faults.FaultPlan.Fault;
import dev.stet.faults.InjectedFailure;
import dev.stet.store.UnknownOutcomeException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** With no fault planned the wrapper is a ledger like another; with one, the fault is what it is called. */
class FaultyLedgerTest extends LedgerContract {
    private Optional<Ledger> real = Optional.empty();

    @Override
    protected Ledger open(ManualClock clock) {
        real = real.or(() -> Optional.of(new InMemoryLedger(clock)));
        return new FaultyLedger(real.get(), FaultPlan.none());
    }

    @Test
    void aFailureHasNoEffect() throws Exception {
        FaultPlan plan = FaultPlan.at(2, Fault.FAIL);
        Ledger faulty = new FaultyLedger(ledger(), plan);
        assertThat(faulty.begin(uploading("a"))).isEqualTo(APPLIED);
        assertThatExceptionOfType(InjectedFailure.class).isThrownBy(() -> faulty.begin(uploading("b")));
        assertThat(ledger().find("b")).isEmpty();
        assertThat(faulty.begin(uploading("b"))).isEqualTo(APPLIED);
        assertThat(plan.log()).containsExactly("begin", "begin", "begin");
    }

    @Test
    void aLostAnswerHasItsEffect() throws Exception {
        Ledger faulty = new FaultyLedger(ledger(), FaultPlan.at(1, Fault.LOSE));
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> faulty.begin(uploading("a")));
        assertThat(faulty.find("a")).contains(uploading("a"));
    }

    @Test
    void aDelayedCallIsJudgedWhenItArrives() throws Exception {
        FaultPlan plan = FaultPlan.at(1, Fault.DELAY);
        Ledger faulty = new FaultyLedger(ledger(), plan);
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> faulty.begin(uploading("a")));
        assertThat(faulty.find("a")).isEmpty();
        assertThat(faulty.begin(uploading("a"))).isEqualTo(APPLIED);
        assertThat(plan.deliver()).containsExactly(REFUSED);
        assertThat(plan.deliver()).isEmpty();
    }

    @Test
    void aReadCanOnlyFail() {
        for (Fault fault : new Fault[] {Fault.FAIL, Fault.LOSE, Fault.DELAY}) {
            Ledger faulty = new FaultyLedger(ledger(), FaultPlan.at(1, fault));
            assertThatExceptionOfType(InjectedFailure.class).isThrownBy(() -> faulty.find("a"));
        }
    }

    @Test
    void afterACrashEverythingFailsUntilTheRestart() throws Exception {
        FaultPlan plan = FaultPlan.crashAt(1, Fault.LOSE);
        Ledger faulty = new FaultyLedger(ledger(), plan);
        assertThatExceptionOfType(UnknownOutcomeException.class).isThrownBy(() -> faulty.begin(uploading("a")));
        assertThatExceptionOfType(InjectedFailure.class).isThrownBy(() -> faulty.abandon("a"));
        assertThatExceptionOfType(InjectedFailure.class).isThrownBy(() -> faulty.find("a"));
        plan.restart();
        assertThat(faulty.find("a")).contains(uploading("a"));
        assertThat(plan.calls()).isEqualTo(4);
    }
}
