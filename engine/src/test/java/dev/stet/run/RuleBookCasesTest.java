package dev.stet.run;

import dev.stet.config.Format;
import dev.stet.config.Location;
import dev.stet.config.PipelineConfig;
import dev.stet.config.SinkCompression;
import dev.stet.route.RoutingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Between directories. */
class RuleBookCasesTest extends RuleBookCases {
    @TempDir
    private Path folder;

    @Override
    protected Place place(String id) throws IOException {
        Files.createDirectories(folder.resolve(id).resolve("source"));
        return new Directories(folder.resolve(id));
    }

    private record Directories(Path root) implements Place {
        /** A key that ends in a slash becomes a folder, and two slashes one: in the cases such keys change nothing but the count. */
        @Override
        public void put(String key, byte[] content) throws IOException {
            Path target = root.resolve("source").resolve(key.replace("//", "/"));
            if (key.endsWith("/")) {
                Files.createDirectories(target);
            } else {
                Files.createDirectories(target.getParent());
                Files.write(target, content);
            }
        }

        @Override
        public RunCounters copy(RoutingSettings routing, Optional<String> recordFieldPath) throws Exception {
            PipelineConfig pipeline = new PipelineConfig(
                    Optional.empty(),
                    Optional.empty(),
                    new Location.Directory(root.resolve("source")),
                    Format.JSON,
                    List.of(),
                    List.of(),
                    recordFieldPath,
                    routing,
                    new Location.Directory(root.resolve("sink")),
                    SinkCompression.NONE,
                    PipelineConfig.LandingPolicy.DEFAULT);
            RunOptions options = new RunOptions(
                    LedgerPlace.EMBEDDED,
                    Optional.of(root.resolve("state")),
                    Optional.empty(),
                    Optional.empty(),
                    2,
                    Optional.of(64L << 20),
                    true,
                    false,
                    false);
            return new LocalEngine().run(pipeline, options, new QuietListener()).counters();
        }

        @Override
        public Map<String, byte[]> landed() throws IOException {
            Path sink = root.resolve("sink");
            Map<String, byte[]> found = new TreeMap<>();
            if (!Files.exists(sink)) {
                return found;
            }
            try (Stream<Path> files = Files.walk(sink)) {
                for (Path f : files.filter(Files::isRegularFile).toList()) {
                    found.put(sink.relativize(f).toString(), Files.readAllBytes(f));
                }
            }
            return found;
        }
    }
}
