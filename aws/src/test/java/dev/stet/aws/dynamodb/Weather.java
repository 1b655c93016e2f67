package dev.stet.aws.dynamodb;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** What the fake does to each write, by a seed: what a real service and network do now and then. Thread-safe. */
final class Weather {
    /** What becomes of a write. */
    enum Event {
        NOTHING,
        /** Another transaction is at one of the items: not applied. */
        CONFLICT,
        /** Too much for a partition: not applied. */
        THROTTLED,
        /** Applied, the answer lost, and sent again by the SDK: the sender gets the answer to the second. */
        SENT_TWICE,
        /** The server fails before it applies it. */
        SERVER_ERROR,
        /** Applied, and the connection breaks. */
        LOST,
        /** The connection breaks; it is applied some calls later, if its conditions hold then. */
        LATE
    }

    /** What an adapter settles by itself, so that its callers see nothing of it. */
    static final Set<Event> SETTLED = Set.of(Event.CONFLICT, Event.THROTTLED, Event.SENT_TWICE);

    private final long seed;
    private final double probability;
    private final Event[] events;
    private final AtomicLong calls = new AtomicLong();

    Weather(long seed, double probability, Set<Event> events) {
        this.seed = seed;
        this.probability = probability;
        this.events = events.stream().sorted().toArray(Event[]::new);
    }

    static Weather calm() {
        return new Weather(0, 0, Set.of());
    }

    Event next() {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + calls.incrementAndGet());
        return random.nextDouble() < probability ? events[random.nextInt(events.length)] : Event.NOTHING;
    }
}
