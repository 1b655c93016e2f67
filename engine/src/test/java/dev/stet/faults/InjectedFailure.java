package dev.stet.faults;

import java.io.IOException;

/** A call that a {@link FaultPlan} made fail before it had any effect. */
public final class InjectedFailure extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedFailure(String call) {
        super("injected failure of " + call);
    }
}
