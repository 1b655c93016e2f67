package dev.stet.plan;

import dev.stet.stage.TaskFile;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectStore;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.task.SourceTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cuts a source into copy tasks by an S3 Inventory (CSV). Its files are in no order, so it is not a listing to copy from: a random sample of its keys, sorted, gives the ranges,
 * whose sizes are then as even as the sample is large. Workers list their ranges as ever, so that what changed since the inventory was made is neither missed nor copied twice.
 */
public final class InventoryPlanner {
    private final ObjectStore inventory;
    private final Function<String, Optional<String>> relative;
    private final int sampleKeys;
    private final SplittableRandom random = new SplittableRandom(0x57E7);

    /**
     * A planner over one inventory.
     *
     * @param inventory the bucket that the inventory is delivered to
     * @param relative from a bucket's key to one relative to the source; empty for keys that are none of its
     * @param sampleKeys most keys held, some 200 bytes each; a fiftieth of the task's share of it is the error of a task's size
     */
    public InventoryPlanner(ObjectStore inventory, Function<String, Optional<String>> relative, int sampleKeys) {
        this.inventory = inventory;
        this.relative = relative;
        this.sampleKeys = sampleKeys;
    }

    /** Writes the tasks. @param manifestKey of the inventory's {@code manifest.json} */
    public SourcePlanner.Planned plan(String manifestKey, TaskSize size, TaskFile file) throws IOException {
        JsonNode manifest = manifest(manifestKey);
        Columns columns = Columns.of(manifest, inventory.describe(manifestKey));
        Sample sample = new Sample();
        for (JsonNode f : manifest.path("files")) {
            read(f.path("key").stringValue(), f.path("size").longValue(), columns, sample);
        }
        sample.keys.sort(KeyOrder.UTF8);
        long tasks = Math.max(
                1, Math.max(Math.ceilDiv(sample.objects, size.objects()), Math.ceilDiv(sample.bytes, size.bytes())));
        List<String> ends = new ArrayList<>();
        for (long i = 1; i < tasks; i++) {
            String end = sample.keys.get((int) Math.min(sample.keys.size() - 1, i * sample.keys.size() / tasks));
            if (ends.isEmpty() || KeyOrder.compare(end, ends.getLast()) > 0) {
                ends.add(end);
            }
        }
        String after = "";
        for (String end : ends) {
            file.add(new SourceTask.Range(new KeyRange(after, Optional.of(end))).toLine());
            after = end;
        }
        file.add(new SourceTask.Range(new KeyRange(after, Optional.empty())).toLine());
        return new SourcePlanner.Planned(
                ends.size() + 1, sample.objects, sample.bytes, 0, List.of(), SourcePlanner.thinned(ends));
    }

    private JsonNode manifest(String key) throws IOException {
        StoredObject there = inventory
                .readBack(key)
                .orElseThrow(() -> new StoreException("there is no inventory manifest: " + inventory.describe(key)));
        try (InputStream in = inventory.read(key, 0, there.size())) {
            JsonNode manifest = JsonMapper.shared().readTree(in.readAllBytes());
            if (!manifest.path("fileFormat").asString("").equals("CSV")) {
                throw new StoreException("the inventory is not in CSV but in "
                        + manifest.path("fileFormat").asString("no known format") + ": " + inventory.describe(key)
                        + "; set up one in CSV");
            }
            return manifest;
        } catch (JacksonException e) {
            throw new StoreException("not an inventory manifest: " + inventory.describe(key), e);
        }
    }

    private void read(String key, long size, Columns columns, Sample sample) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(inventory.read(key, 0, size), 1 << 16), StandardCharsets.UTF_8))) {
            for (Optional<String> line = Optional.ofNullable(lines.readLine());
                    line.isPresent();
                    line = Optional.ofNullable(lines.readLine())) {
                columns.read(line.get(), inventory.describe(key), sample);
            }
        }
    }

    /** Where the manifest's schema has what is needed. */
    private record Columns(int key, int size, int latest, int marker) {
        static Columns of(JsonNode manifest, String where) throws StoreException {
            List<String> names =
                    List.of(manifest.path("fileSchema").asString("").split(", *", -1));
            if (!names.contains("Key") || !names.contains("Size")) {
                throw new StoreException("the inventory lacks the field Key or Size: " + where);
            }
            return new Columns(
                    names.indexOf("Key"),
                    names.indexOf("Size"),
                    names.indexOf("IsLatest"),
                    names.indexOf("IsDeleteMarker"));
        }

        /** Keys are percent-encoded, so that no field has a comma or a quote inside. */
        void read(String line, String where, Sample sample) throws StoreException {
            String[] fields = line.split(",", -1);
            if (fields.length <= Math.max(key, size)) {
                throw new StoreException("a line of the inventory has " + fields.length + " fields: " + where);
            }
            if (value(fields, latest).equals("false") || value(fields, marker).equals("true")) {
                return;
            }
            String bytes = value(fields, size);
            sample.add(
                    URLDecoder.decode(value(fields, key), StandardCharsets.UTF_8),
                    bytes.isEmpty() ? 0 : Long.parseLong(bytes));
        }

        private static String value(String[] fields, int at) {
            return at < 0 || at >= fields.length ? "" : fields[at].replace("\"", "");
        }
    }

    /** A random sample of bounded size. */
    private final class Sample {
        private final List<String> keys = new ArrayList<>();
        private long objects;
        private long bytes;

        void add(String bucketKey, long size) {
            Optional<String> key = relative.apply(bucketKey);
            if (key.isEmpty()) {
                return;
            }
            objects++;
            bytes += size;
            if (keys.size() < sampleKeys) {
                keys.add(key.get());
            } else {
                long at = random.nextLong(objects);
                if (at < sampleKeys) {
                    keys.set((int) at, key.get());
                }
            }
        }
    }
}
