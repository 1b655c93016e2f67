package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import dev.stet.config.ConfigException;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The way into every function: JSON in, JSON out; a failure is logged and handed on, for the state machine to see. */
final class Entry {
    /** What a function does. */
    interface Work {
        ObjectNode answer(ObjectNode event, Call call) throws IOException, ConfigException, RegistryException;
    }

    private final String function;
    private final Wiring wiring;
    private final Work work;

    Entry(String function, Wiring wiring, Work work) {
        this.function = function;
        this.wiring = wiring;
        this.work = work;
    }

    void serve(InputStream in, OutputStream out, Context context) throws IOException {
        Call call = new Call(function, context, wiring);
        try {
            ObjectNode answer = work.answer(event(in), call);
            out.write(answer.toString().getBytes(StandardCharsets.UTF_8));
        } catch (ConfigException | RegistryException e) {
            call.failed(e);
            throw new RefusedRunException(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException | Error e) {
            call.failed(e);
            throw e;
        }
    }

    private static ObjectNode event(InputStream in) {
        try {
            JsonNode event = JsonMapper.shared().readTree(in);
            if (event instanceof ObjectNode object) {
                return object;
            }
            throw new RefusedRunException("the event is no JSON object: " + event);
        } catch (JacksonException e) {
            throw new RefusedRunException("the event is no JSON: " + e.getOriginalMessage(), e);
        }
    }
}
