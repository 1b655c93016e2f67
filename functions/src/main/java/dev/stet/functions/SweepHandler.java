package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.compact.Sweeper;
import dev.stet.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Fences commits whose workers are dead and removes what no commit needs (design §6, garbage), of every pipeline or of one. Event: the schedule's, or {@code
 * {"pipelineName":…}}.
 */
public final class SweepHandler implements RequestStreamHandler {
    private final Entry entry;

    public SweepHandler() {
        this(Wiring.ofEnvironment());
    }

    SweepHandler(Wiring wiring) {
        this.entry = new Entry("sweep", wiring, SweepHandler::sweep);
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        entry.serve(in, out, context);
    }

    private static ObjectNode sweep(ObjectNode event, Call call) throws IOException, ConfigException {
        ObjectNode answer = JsonMapper.shared().createObjectNode();
        ArrayNode swept = answer.putArray("swept");
        ArrayNode failed = answer.putArray("failed");
        Registry registry = new Registry(call);
        List<Site> sites = registry.sites(Events.optionalText(event, "pipelineName"));
        for (int i = 0; i < sites.size(); i++) {
            Site site = sites.get(i);
            // A pipeline with much to sweep goes on next time, rather than that those behind it have to wait.
            BooleanSupplier stop = call.shareIsUp(sites.size() - i);
            try {
                Sweeper sweeper = new Sweeper(
                        site.ledger(),
                        site.staging(),
                        call.clock(),
                        call.settings().threads(),
                        stop);
                sweeper.abandonExpired();
                sweeper.sweep();
                new RunFiles(site, registry, call.clock()).sweep(stop);
                swept.add(site.name());
            } catch (IOException e) {
                // The others' garbage is not to wait for this one's.
                call.failed(e);
                failed.add(site.name());
            }
        }
        call.info("swept", answer);
        return answer;
    }
}
