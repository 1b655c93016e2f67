package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import dev.stet.config.ConfigException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One invocation: its time, its log, its metrics. */
final class Call {
    private final String function;
    private final Context context;
    private final Wiring wiring;
    private final Instant begun;
    private final Instant stopAt;

    Call(String function, Context context, Wiring wiring) {
        this.function = function;
        this.context = context;
        this.wiring = wiring;
        this.begun = wiring.clock().instant();
        this.stopAt = begun.plusMillis(context.getRemainingTimeInMillis())
                .minus(wiring.settings().margin());
    }

    FunctionSettings settings() {
        return wiring.settings();
    }

    Clients clients() throws ConfigException {
        return wiring.clients();
    }

    Clock clock() {
        return wiring.clock();
    }

    SecureRandom random() {
        return wiring.random();
    }

    /** Whether it is time to end. */
    BooleanSupplier timeIsUp() {
        return () -> !clock().instant().isBefore(stopAt);
    }

    /** Whether one of so many, who share the time that is left now, has had its share. */
    BooleanSupplier shareIsUp(int of) {
        Instant now = clock().instant();
        Instant end = now.plus(Duration.between(now, stopAt).dividedBy(of));
        return () -> !clock().instant().isBefore(end);
    }

    /** The time for work that this invocation has had from its beginning. */
    Duration time() {
        return Duration.between(begun, stopAt);
    }

    private LogLine line(String level, String message) {
        return new LogLine(level, clock().instant())
                .with("function", function)
                .with("requestId", context.getAwsRequestId())
                .with("message", message);
    }

    void info(String message, ObjectNode details) {
        wiring.out().accept(line("info", message).with("details", details).text());
    }

    void warn(String message) {
        wiring.out().accept(line("warn", message).text());
    }

    Consumer<String> notes() {
        return this::warn;
    }

    void failed(Throwable e) {
        wiring.out()
                .accept(line("error", String.valueOf(e.getMessage()))
                        .with("error", e.getClass().getName())
                        .with("trace", Traces.of(e))
                        .text());
    }

    /** Metrics in the embedded format: by pipeline and function, and once over all of them, which is what alarms look at. */
    void metrics(String pipeline, Map<String, Long> values) {
        ObjectNode line = JsonMapper.shared().createObjectNode();
        ObjectNode aws = line.putObject("_aws");
        aws.put("Timestamp", clock().millis());
        ObjectNode directive = aws.putArray("CloudWatchMetrics").addObject();
        directive.put("Namespace", settings().metrics());
        ArrayNode dimensions = directive.putArray("Dimensions");
        List.of("pipeline", "function").forEach(dimensions.addArray()::add);
        ArrayNode _ = dimensions.addArray();
        ArrayNode metrics = directive.putArray("Metrics");
        values.forEach((name, value) -> {
            metrics.addObject().put("Name", name).put("Unit", unit(name));
            line.put(name, value);
        });
        line.put("pipeline", pipeline).put("function", function);
        wiring.out().accept(line.toString());
    }

    private static String unit(String metric) {
        if (metric.endsWith("_seconds")) {
            return "Seconds";
        }
        return metric.startsWith("bytes") ? "Bytes" : "Count";
    }
}
