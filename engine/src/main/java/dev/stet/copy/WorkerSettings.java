package dev.stet.copy;

import dev.stet.codec.SliceCodec;
import dev.stet.record.Framer;
import dev.stet.route.Router;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * What every copy worker of a run works with.
 *
 * @param memory bytes for records of one worker that wait to be staged
 * @param stagingFull asked between objects, with the bytes this worker has staged and not committed: when true, the commit at hand is ended early
 * @param stop asked often: when true, what is whole is committed and the worker ends
 * @param parts which objects are copied in several commits
 */
public record WorkerSettings(
        Supplier<Framer> framer,
        Supplier<Router> router,
        SliceCodec codec,
        long memory,
        LongPredicate stagingFull,
        BooleanSupplier stop,
        PartLimits parts) {

    /** Copies every object at once, however large. */
    public WorkerSettings(
            Supplier<Framer> framer,
            Supplier<Router> router,
            SliceCodec codec,
            long memory,
            LongPredicate stagingFull,
            BooleanSupplier stop) {
        this(framer, router, codec, memory, stagingFull, stop, PartLimits.NONE);
    }
}
