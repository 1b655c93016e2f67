package dev.stet.copy;

import dev.stet.store.ObjectInfo;
import java.time.Clock;
import java.util.function.BooleanSupplier;

/**
 * When to end the reading of an object that is copied at once: when the run is to stop, or when the object has taken so much of a worker's time that it may be too much for
 * any. Little that is stored can be much content. Not thread-safe.
 */
final class Patience implements BooleanSupplier {
    private final BooleanSupplier stop;
    private final long millis;
    private final Clock clock;
    private long begun;
    private boolean inParts;

    Patience(WorkerSettings settings, Clock clock) {
        this.stop = settings.stop();
        this.millis = settings.parts().patienceMillis();
        this.clock = clock;
    }

    /** Another object is read. Where only its content tells its identity there is no other way to copy it. */
    void begin(ObjectInfo object) {
        begun = clock.millis();
        inParts = object.etag().isPresent();
    }

    @Override
    public boolean getAsBoolean() {
        return stop.getAsBoolean() || (inParts && clock.millis() - begun >= millis);
    }
}
