package dev.stet.faults;

import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * What goes wrong at which call. Calls are numbered from 1, over all wrappers that share the plan, so that "for every n" runs through every step of the
 * work whichever port it uses. Thread-safe; calls themselves run in parallel.
 */
public final class FaultPlan {
    /** What becomes of one call. */
    public enum Fault {
        NONE,
        /** Fails before it has any effect. */
        FAIL,
        /** Takes effect, and the answer is lost. */
        LOSE,
        /** Its sender is told that the outcome is unknown; it arrives at {@link #deliver()}, and its conditions are judged then. */
        DELAY
    }

    /** One call of a port. */
    public interface Call<T> {
        T run() throws IOException;
    }

    private record Late(String name, Call<?> call) {}

    private final LongFunction<Fault> faults;
    private final boolean fatal;
    private final List<String> log = new ArrayList<>();
    private final Queue<Late> late = new ArrayDeque<>();
    private boolean down;

    private FaultPlan(LongFunction<Fault> faults, boolean fatal) {
        this.faults = faults;
        this.fatal = fatal;
    }

    /** Nothing goes wrong; the calls are counted. */
    public static FaultPlan none() {
        return new FaultPlan(n -> Fault.NONE, false);
    }

    /** That call alone meets the fault. */
    public static FaultPlan at(long call, Fault fault) {
        return new FaultPlan(n -> n == call ? fault : Fault.NONE, false);
    }

    /** As {@link #at}, and all later calls fail, as they do for a process that was killed there, until {@link #restart()}. */
    public static FaultPlan crashAt(long call, Fault fault) {
        return new FaultPlan(n -> n == call ? fault : Fault.NONE, true);
    }

    /** Each call meets a fault with that probability; which one depends on the seed and the call's number alone. */
    public static FaultPlan random(long seed, double probability) {
        Fault[] kinds = {Fault.FAIL, Fault.LOSE, Fault.DELAY};
        return new FaultPlan(
                n -> {
                    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + n);
                    return random.nextDouble() < probability ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
                },
                false);
    }

    /** A call that changes nothing: every fault makes it fail. */
    public <T> T read(String name, Call<T> call) throws IOException {
        if (next(name) != Fault.NONE) {
            throw new InjectedFailure(name);
        }
        return call.run();
    }

    /** A call that changes something. */
    public <T> T write(String name, Call<T> call) throws IOException {
        return switch (next(name)) {
            case NONE -> call.run();
            case FAIL -> throw new InjectedFailure(name);
            case LOSE -> {
                // Whatever the answer was, an error as well, nobody hears it.
                Object answer = answer(call);
                throw new UnknownOutcomeException(
                        name + ": injected loss of the answer " + answer, new InjectedFailure(name));
            }
            case DELAY -> {
                synchronized (this) {
                    late.add(new Late(name, call));
                }
                throw new UnknownOutcomeException(name + ": injected delay", new InjectedFailure(name));
            }
        };
    }

    private synchronized Fault next(String name) {
        log.add(name);
        if (down) {
            return Fault.FAIL;
        }
        Fault fault = faults.apply(log.size());
        down = fatal && fault != Fault.NONE;
        return fault;
    }

    /** Lets every delayed call arrive, in the order sent. Their answers, errors among them, which nobody waits for any more. */
    public List<Object> deliver() {
        List<Late> arriving;
        synchronized (this) {
            arriving = List.copyOf(late);
            late.clear();
        }
        return arriving.stream().map(l -> answer(l.call())).toList();
    }

    private static Object answer(Call<?> call) {
        try {
            Object answer = call.run();
            return answer == null ? "nothing" : answer;
        } catch (IOException | RuntimeException e) {
            return e;
        }
    }

    /** Ends the time in which all calls fail. */
    public synchronized void restart() {
        down = false;
    }

    /** How many calls were made: the last n worth a fault. */
    public synchronized long calls() {
        return log.size();
    }

    /** The names of the calls made, in order. */
    public synchronized List<String> log() {
        return List.copyOf(log);
    }
}
