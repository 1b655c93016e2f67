package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.asl.Failure;
import dev.stet.asl.Functions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Invokes handlers in this process. An exception becomes what the service makes of it. */
final class InProcess implements Functions {
    private final Map<String, RequestStreamHandler> handlers = new ConcurrentHashMap<>();
    private volatile Duration limit = Duration.ofMinutes(15);

    InProcess with(String name, RequestStreamHandler handler) {
        handlers.put(name, handler);
        return this;
    }

    /** How much time each invocation is told that it has. */
    InProcess limit(Duration time) {
        limit = time;
        return this;
    }

    RequestStreamHandler handler(String name) {
        return Optional.ofNullable(handlers.get(name)).orElseThrow();
    }

    @Override
    public JsonNode invoke(String name, JsonNode payload) throws Failure {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            handler(name)
                    .handleRequest(
                            new ByteArrayInputStream(payload.toString().getBytes(StandardCharsets.UTF_8)),
                            out,
                            new FakeContext(name, UUID.randomUUID().toString(), limit));
        } catch (IOException | RuntimeException e) {
            throw new Failure(
                    e.getClass().getName(),
                    JsonMapper.shared()
                            .createObjectNode()
                            .put("errorMessage", String.valueOf(e.getMessage()))
                            .put("errorType", e.getClass().getName())
                            .toString());
        }
        return JsonMapper.shared().readTree(out.toByteArray());
    }
}
