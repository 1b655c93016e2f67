package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.Buffered;
import dev.stet.config.ConfigException;
import dev.stet.store.ObjectInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far a pipeline is behind its source, for cut-over. Event: {@code {"pipelineName":…,"after":key}}, the key (of the source) to begin after; the answer is {@code
 * {"uncopied":{"objects":…,"bytes":…,"newest":{"key":…,"modified":time},"oldest":{…}},"unlanded":{"commits":…,"bytes":…,"oldest":time,"newest":time},"complete":…,"scannedTo":key}}.
 */
public final class LagHandler implements RequestStreamHandler {
    private final Entry entry;

    public LagHandler() {
        this(Wiring.ofEnvironment());
    }

    LagHandler(Wiring wiring) {
        this.entry = new Entry("lag", wiring, LagHandler::lag);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode lag(ObjectNode event, Call call) throws IOException, ConfigException {
        Site site = new Registry(call).site(Events.text(event, "pipelineName"));
        SourceLag source =
                SourceLag.measure(site, Events.optionalText(event, "after").orElse(""), call.timeIsUp());
        Buffered buffered = Buffered.in(site.ledger());
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        ObjectNode uncopied = answer.putObject("uncopied");
        uncopied.put("objects", source.objects()).put("bytes", source.bytes());
        source.newest().ifPresent(o -> tell(o, uncopied.putObject("newest")));
        source.oldest().ifPresent(o -> tell(o, uncopied.putObject("oldest")));
        ObjectNode unlanded = answer.putObject("unlanded");
        unlanded.put("commits", buffered.commits()).put("bytes", buffered.landingBytes());
        buffered.oldest()
                .ifPresent(at -> unlanded.put("oldest", Instant.ofEpochMilli(at).toString()));
        buffered.newest()
                .ifPresent(at -> unlanded.put("newest", Instant.ofEpochMilli(at).toString()));
        answer.put("complete", source.complete()).put("scannedTo", source.scannedTo());
        call.metrics(
                site.name(),
                Map.of(
                        "objects_uncopied", source.objects(),
                        "bytes_uncopied", source.bytes(),
                        "uncopied_seconds",
                                source.oldest().map(o -> seconds(o, call)).orElse(0L),
                        "bytes_unlanded", buffered.landingBytes()));
        call.info("measured", answer);
        return answer;
    }

    private static void tell(ObjectInfo object, ObjectNode json) {
        json.put("key", object.key()).put("modified", object.modified().toString());
    }

    private static long seconds(ObjectInfo object, Call call) {
        return Math.max(
                0, Duration.between(object.modified(), call.clock().instant()).toSeconds());
    }
}
