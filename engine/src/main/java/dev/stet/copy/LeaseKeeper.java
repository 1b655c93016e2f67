package dev.stet.copy;

import dev.stet.ledger.Ledger;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Moves the leases of commits whose workers live, so that no sweeper takes them for dead; the lease of a dead process ends by itself within {@link #LEASE}.
 * A lease that is lost all the same costs work, never records: its commit is fenced and its objects are copied again. Thread-safe.
 */
public final class LeaseKeeper implements Closeable {
    /** For how long a worker is taken to live without a sign. */
    public static final Duration LEASE = Duration.ofSeconds(60);

    /** Two signs may be lost or late before the lease is over. */
    private static final Duration EVERY = LEASE.dividedBy(3);

    private final Ledger ledger;
    private final Clock clock;
    private final Set<String> kept = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    private LeaseKeeper(Ledger ledger, Clock clock) {
        this.ledger = ledger;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name("leases").daemon().unstarted(this::renewOnAndOn);
    }

    /** Renews by itself until it is closed. */
    public static LeaseKeeper started(Ledger ledger, Clock clock) {
        LeaseKeeper keeper = new LeaseKeeper(ledger, clock);
        keeper.thread.start();
        return keeper;
    }

    /** Renews when told to: for whoever ends before a lease does. */
    public static LeaseKeeper onDemand(Ledger ledger, Clock clock) {
        return new LeaseKeeper(ledger, clock);
    }

    /** When the lease of a worker that gives a sign now is over, epoch milliseconds. */
    public long until() {
        return clock.millis() + LEASE.toMillis();
    }

    /** From now on the commit's worker lives. */
    void keep(String commitId) {
        kept.add(commitId);
    }

    /** The commit has ended, or its worker gave it up. */
    void release(String commitId) {
        kept.remove(commitId);
    }

    /** Gives a sign for every commit kept. */
    public void renew() {
        for (String id : kept) {
            try {
                Ledger.Outcome _ = ledger.renewLease(id, until());
            } catch (IOException e) {
                // The next round tries again. If the lease ends meanwhile, the worker learns it from its own commit.
            }
        }
    }

    private void renewOnAndOn() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                renew();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a sign that is being given. */
    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
