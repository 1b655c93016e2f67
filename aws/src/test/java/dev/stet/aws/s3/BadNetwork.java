package dev.stet.aws.s3;

import static dev.stet.aws.FaultProxy.error;
import static dev.stet.aws.FaultProxy.slowDown;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stet.aws.FaultProxy;
import dev.stet.aws.FaultProxy.Answer;
import dev.stet.aws.FaultProxy.Hop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** What happens to requests to S3 and DynamoDB by a seed, and the death of the process that sends them. Thread-safe. */
final class BadNetwork implements FaultProxy.Fault {
    /** What becomes of one request. */
    enum Event {
        /** It never arrives. */
        CUT_BEFORE,
        /** It is applied, and the connection ends before the answer. */
        CUT_AFTER,
        /** The server fails and has done nothing. */
        ERROR_BEFORE,
        /** The server fails after it has done it. */
        ERROR_AFTER,
        /** This and some more are too many. */
        THROTTLED,
        /** A completion is answered 200, and the answer holds an error. */
        ERROR_INSIDE_200,
        /** A conditional write meets another. */
        CONFLICT,
        /** The body ends early. */
        SHORT_BODY,
        /** The body comes in pieces, with pauses. */
        SLOW_BODY,
        /** The sender hears nothing; it arrives when others have done the work. */
        LATE,
        /** The process is no more. Nothing of it arrives; a refusal tells what still runs of it in this JVM not to wait. */
        DEATH
    }

    private static final Answer DYNAMO_ERROR = dynamo(500, "InternalServerError");
    private static final Answer DYNAMO_THROTTLED = dynamo(400, "ProvisionedThroughputExceededException");

    private static final Answer DYNAMO_DEAD = dynamo(400, "ValidationException");
    /** What moves records or makes them count is hit more often. */
    private static final Set<String> WORK = Set.of("GET", "PUT", "PART", "COMPLETE", "TransactWriteItems");

    private static final double AT_WORK = 0.12;
    private static final double ELSE = 0.02;

    private final SplittableRandom random;
    private final Map<Event, Integer> met = new EnumMap<>(Event.class);
    private final List<Hop> late = new ArrayList<>();
    private int burst;
    private long untilDeath;

    /** @param untilDeath so many requests pass, then none: the process is dead */
    BadNetwork(long seed, long untilDeath) {
        this.random = new SplittableRandom(seed);
        this.untilDeath = untilDeath;
    }

    @Override
    public void meets(Hop hop) throws IOException {
        boolean dynamo = !hop.header("x-amz-target").isEmpty();
        Optional<Event> event;
        synchronized (this) {
            if (untilDeath-- <= 0) {
                event = Optional.of(Event.DEATH);
            } else {
                event = next(hop, dynamo);
            }
            event.ifPresent(e -> met.merge(e, 1, Integer::sum));
        }
        if (event.isPresent()) {
            happen(event.get(), hop, dynamo);
        } else {
            hop.pass();
        }
    }

    private Optional<Event> next(Hop hop, boolean dynamo) {
        if (burst > 0) {
            burst--;
            return Optional.of(Event.THROTTLED);
        }
        if (random.nextDouble() >= (WORK.contains(hop.action()) ? AT_WORK : ELSE)) {
            return Optional.empty();
        }
        List<Event> can = Arrays.stream(Event.values())
                .filter(e -> possible(e, hop, dynamo))
                .toList();
        Event event = can.get(random.nextInt(can.size()));
        if (event == Event.THROTTLED) {
            burst = random.nextInt(4);
        } else if (event == Event.LATE) {
            late.add(hop);
        }
        return Optional.of(event);
    }

    /**
     * An upload that begins late is nobody's: its key may not be known any more, and it can complete nothing. {@code CrashContract} tells that story; here it
     * would only hide others.
     */
    private static boolean possible(Event event, Hop hop, boolean dynamo) {
        return switch (event) {
            case DEATH -> false;
            case ERROR_INSIDE_200 -> hop.is("COMPLETE");
            case CONFLICT -> hop.is("COMPLETE") || hop.is("PUT");
            case SHORT_BODY, SLOW_BODY -> hop.is("GET");
            case LATE ->
                hop.is("PUT")
                        || hop.is("COMPLETE")
                        || hop.is("DELETE")
                        || hop.is("ABORT")
                        || (dynamo && hop.is("TransactWriteItems"));
            default -> true;
        };
    }

    private void happen(Event event, Hop hop, boolean dynamo) throws IOException {
        switch (event) {
            case DEATH -> {
                if (dynamo) {
                    hop.relay(DYNAMO_DEAD);
                } else {
                    error(400, "Dead", "The process was killed.").meets(hop);
                }
            }
            case CUT_BEFORE, LATE -> hop.cut();
            case CUT_AFTER -> {
                Answer unheard = hop.fetch();
                assert unheard.status() > 0;
                hop.cut();
            }
            case ERROR_BEFORE -> fail(hop, dynamo);
            case ERROR_AFTER -> {
                Answer unheard = hop.fetch();
                assert unheard.status() > 0;
                fail(hop, dynamo);
            }
            case THROTTLED -> {
                if (dynamo) {
                    hop.relay(DYNAMO_THROTTLED);
                } else {
                    slowDown().meets(hop);
                }
            }
            case ERROR_INSIDE_200 ->
                error(200, "InternalError", "We encountered an internal error.").meets(hop);
            case CONFLICT ->
                error(409, "ConditionalRequestConflict", "The conditional request cannot succeed now.")
                        .meets(hop);
            case SHORT_BODY -> {
                Answer whole = hop.fetch();
                hop.relayShort(whole, whole.body().length / 2);
            }
            case SLOW_BODY -> hop.relaySlowly(hop.fetch(), 4, 10);
        }
    }

    private static void fail(Hop hop, boolean dynamo) throws IOException {
        if (dynamo) {
            hop.relay(DYNAMO_ERROR);
        } else {
            error(500, "InternalError", "We encountered an internal error.").meets(hop);
        }
    }

    private static Answer dynamo(int status, String code) {
        String json = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"" + code + "\"}";
        return new Answer(status, Map.of("Content-Type", List.of("application/x-amz-json-1.0")), json.getBytes(UTF_8));
    }

    /** What was late arrives now. @return how many requests */
    int deliver() throws IOException {
        List<Hop> arriving;
        synchronized (this) {
            arriving = List.copyOf(late);
            late.clear();
        }
        for (Hop hop : arriving) {
            Answer unheard = hop.fetch();
            assert unheard.status() > 0;
        }
        return arriving.size();
    }

    synchronized Map<Event, Integer> met() {
        return Map.copyOf(met);
    }
}
