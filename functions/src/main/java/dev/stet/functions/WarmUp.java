package dev.stet.functions;

import dev.stet.codec.DecodedObject;
import dev.stet.codec.SourceDecoder;
import dev.stet.config.ConfigException;
import dev.stet.record.FieldValues;
import dev.stet.record.JsonFramer;
import dev.stet.record.Reason;
import dev.stet.record.RecordHandler;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.Runs;
import dev.stet.route.Router;
import dev.stet.route.RoutingSettings;
import dev.stet.route.TimeUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/** Runs the hot path once before a snapshot is taken, so that restored processes find it loaded and compiled. It writes nothing. */
final class WarmUp {
    private static final int RECORDS = 5_000;
    private static final RoutingSettings ROUTING = new RoutingSettings(
            List.of("event_type"),
            "",
            List.of(new RoutingSettings.PartitionLevel(List.of("detail.tenant_id"), Optional.of("tenant_id"))),
            "p_",
            List.of("time"),
            TimeUnit.DAY,
            "p_",
            true,
            Map.of(),
            RoutingSettings.OnMissing.QUARANTINE);

    private final Wiring wiring;

    WarmUp(Wiring wiring) {
        this.wiring = wiring;
    }

    /** Runs it. @return records that were routed */
    int run() throws IOException, ConfigException {
        int routed = records();
        boolean _ = new Runs(
                        new DynamoDbRegistryStore(wiring.clients()
                                .tables()
                                .documents(wiring.settings().table())),
                        wiring.clock())
                .shouldStop("warm-up");
        return routed;
    }

    private static int records() throws IOException {
        Router router = new Router(ROUTING);
        Routing routing = new Routing(router);
        try (DecodedObject object = SourceDecoder.open(new ByteArrayInputStream(sample()))) {
            var _ = new JsonFramer(router.paths(), Optional.empty()).frame(object.content(), routing);
        }
        return routing.routed;
    }

    private static byte[] sample() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            for (int i = 0; i < RECORDS; i++) {
                String record =
                        "{\"event_type\":\"type%d\",\"time\":\"2021-10-05T10:00:00Z\",\"detail\":{\"tenant_id\":\"t%d\",\"n\":[%d,true]}}"
                                .formatted(i % 3, i % 7, i);
                out.write(record.getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /** Routes records and counts them. */
    private static final class Routing implements RecordHandler {
        private final Router router;
        private int routed;

        Routing(Router router) {
            this.router = router;
        }

        @Override
        public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields) {
            routed += router.route(fields).routed() ? 1 : 0;
        }

        @Override
        public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) {}

        @Override
        public void beginLong(long offset) {}

        @Override
        public void continueLong(byte[] buffer, int from, int to) {}

        @Override
        public void endLongRecord(boolean multiLine, FieldValues fields) {}

        @Override
        public void endLongSetAside(Reason reason) {}
    }
}
