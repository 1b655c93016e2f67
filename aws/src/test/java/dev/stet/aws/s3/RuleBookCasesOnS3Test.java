package dev.stet.aws.s3;

import dev.stet.route.RoutingSettings;
import dev.stet.run.RuleBookCases;
import dev.stet.run.RunCounters;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** From bucket to bucket: every key of the cases as it is, folder markers and double slashes too. */
class RuleBookCasesOnS3Test extends RuleBookCases {
    private static final S3Server SERVER = Servers.s3Proxy();

    @TempDir
    private Path folder;

    @Override
    protected Place place(String id) {
        String source = SERVER.newBucket();
        String sink = SERVER.newBucket();
        return new Place() {
            @Override
            public void put(String key, byte[] content) {
                SERVER.put(source, key, content);
            }

            @Override
            public RunCounters copy(RoutingSettings routing, Optional<String> recordFieldPath) {
                return Run.of(
                                Run.pipeline(
                                        SERVER.location(source, ""),
                                        SERVER.location(sink, "landing/"),
                                        routing,
                                        recordFieldPath),
                                Run.options(folder.resolve(id)),
                                () -> SERVER.stores(StoreOptions.DEFAULT))
                        .counters();
            }

            @Override
            public Map<String, byte[]> landed() {
                return SERVER.objects(sink, "landing/");
            }
        };
    }
}
