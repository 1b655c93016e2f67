package dev.stet.aws.s3;

import dev.stet.aws.s3.StubS3.Op;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.run.LocalEngine;
import dev.stet.run.RunOptions;
import dev.stet.run.Stores;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectIdentity;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectRead;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures what reading ahead gives (docs/decisions/s3.md): whole runs over small objects, each GET answered after 50 ms. By hand: {@code ManyGets OBJECTS
 * RECORDS_EACH}.
 */
final class ManyGets {
    private static final int LATENCY_MILLIS = 50;

    private ManyGets() {}

    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        int records = Integer.parseInt(args[1]);
        Lines lines = new Lines();
        try (StubS3 stub = new StubS3()) {
            for (int i = 0; i < objects; i++) {
                stub.objects().put("raw/%06d".formatted(i), lines.object("%06d".formatted(i), records));
            }
            stub.always(Op.GET, call -> {
                if (call.key().startsWith("raw/")) {
                    sleep();
                }
                return false;
            });
            run(stub, 4, true, "warm");
            for (int threads : new int[] {1, 2, 8, 32}) {
                for (boolean ahead : new boolean[] {false, true}) {
                    run(stub, threads, ahead, ahead ? "ahead" : "one by one");
                }
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(LATENCY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(StubS3 stub, int threads, boolean ahead, String name) throws Exception {
        stub.objects().keySet().removeIf(k -> !k.startsWith("raw/"));
        Path folder = Files.createTempDirectory("many-gets");
        S3Server server = new S3Server(stub.endpoint(), "test", "test");
        RunOptions usual = Run.options(folder);
        RunOptions options = new RunOptions(
                usual.ledger(),
                usual.state(),
                usual.staging(),
                usual.stagingMax(),
                threads,
                Optional.of(128L << 20),
                true,
                false,
                false);
        long start = System.nanoTime();
        try (S3Stores stores = server.stores(StoreOptions.DEFAULT)) {
            var result = new LocalEngine(ahead ? stores : new OneByOne(stores))
                    .run(
                            Run.pipeline(
                                    server.location("devices", "raw/"),
                                    server.location("devices", "landing/"),
                                    Run.ROUTING,
                                    Optional.empty()),
                            options,
                            Run.silent());
            long millis = (System.nanoTime() - start) / 1_000_000;
            System.out.printf(
                    "%-10s threads %2d: %6d objects in %6d ms, %5.0f objects/s%n",
                    name,
                    threads,
                    result.counters().objectsCopied(),
                    millis,
                    result.counters().objectsCopied() * 1000.0 / millis);
        }
    }

    /** Sources that fetch nothing ahead. */
    private record OneByOne(Stores stores) implements Stores {
        @Override
        public void preflight(Remote places, Consumer<String> notes) throws ConfigException, IOException {
            stores.preflight(places, notes);
        }

        @Override
        public SourceStore source(Location.S3 location) throws ConfigException, IOException {
            SourceStore source = stores.source(location);
            return new SourceStore() {
                @Override
                public ObjectListing list(KeyRange range) throws IOException {
                    return source.list(range);
                }

                @Override
                public Optional<ObjectInfo> head(String key) throws IOException {
                    return source.head(key);
                }

                @Override
                public ObjectRead open(ObjectInfo object) throws IOException {
                    return source.open(object);
                }

                @Override
                public ObjectIdentity identify(ObjectInfo object) throws IOException {
                    return source.identify(object);
                }

                @Override
                public String describe() {
                    return source.describe();
                }
            };
        }

        @Override
        public ObjectStore store(Location.S3 location) throws ConfigException, IOException {
            return stores.store(location);
        }
    }
}
