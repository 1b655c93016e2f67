package dev.stet.plan;

import dev.stet.stage.TaskFile;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectStore;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.task.SourceTask;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cuts a source into copy tasks by an S3 Inventory (CSV). Its files are in no order, so it is not a listing to copy from: a random sample of its keys, sorted, gives the ranges,
 * whose sizes are then as even as the sample is large. Workers list their ranges as ever, so that what changed since the inventory was made is neither missed nor copied twice.
 */
public final class InventoryPlanner {
    private final ObjectStore inventory;
    private final String sourceBucket;
    private final Function<String, Optional<String>> relative;
    private final int sampleKeys;
    private final SplittableRandom random = new SplittableRandom(0x57E7);

    /**
     * A planner over one inventory.
     *
     * @param inventory the bucket that the inventory is delivered to
     * @param sourceBucket whose inventory it has to be
     * @param relative from a bucket's key to one relative to the source; empty for keys that are none of its
     * @param sampleKeys most keys held, some 200 bytes each; a fiftieth of the task's share of it is the error of a task's size
     */
    public InventoryPlanner(
            ObjectStore inventory, String sourceBucket, Function<String, Optional<String>> relative, int sampleKeys) {
        this.inventory = inventory;
        this.sourceBucket = sourceBucket;
        this.relative = relative;
        this.sampleKeys = sampleKeys;
    }

    /**
     * Writes the tasks.
     *
     * @param manifestKey of the inventory's {@code manifest.json}
     * @throws StoreException when it is no inventory of the source in CSV, or damaged; the message names what and where
     */
    public SourcePlanner.Planned plan(String manifestKey, TaskSize size, TaskFile file) throws IOException {
        JsonNode manifest = manifest(manifestKey);
        Columns columns = Columns.of(manifest, inventory.describe(manifestKey));
        Sample sample = new Sample();
        for (JsonNode f : manifest.path("files")) {
            read(new DataFile(f, inventory), columns, sample);
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
            String bucket = manifest.path("sourceBucket").asString("");
            if (!bucket.equals(sourceBucket)) {
                throw new StoreException("the inventory is not of the source's bucket " + sourceBucket + " but of "
                        + (bucket.isEmpty() ? "none" : bucket) + ": " + inventory.describe(key));
            }
            return manifest;
        } catch (JacksonException e) {
            throw new StoreException("not an inventory manifest: " + inventory.describe(key), e);
        }
    }

    /** A data file, as the manifest tells of it. */
    private record DataFile(String key, long size, String md5, String where) {
        DataFile(JsonNode file, ObjectStore store) {
            this(
                    file.path("key").asString(""),
                    file.path("size").asLong(0),
                    file.path("MD5checksum").asString(""),
                    store.describe(file.path("key").asString("")));
        }
    }

    private void read(DataFile file, Columns columns, Sample sample) throws IOException {
        MessageDigest md5 = md5();
        try (InputStream stored = new DigestInputStream(inventory.read(file.key(), 0, file.size()), md5)) {
            lines(stored, file, columns, sample);
            long _ = stored.transferTo(OutputStream.nullOutputStream());
        } catch (ZipException | EOFException e) {
            throw new StoreException("a file of the inventory is damaged (" + e.getMessage() + "): " + file.where(), e);
        }
        String read = HexFormat.of().formatHex(md5.digest());
        if (!file.md5().isEmpty() && !file.md5().equalsIgnoreCase(read)) {
            throw new StoreException("a file of the inventory is damaged (its MD5 is " + read + ", the manifest says "
                    + file.md5() + "): " + file.where());
        }
    }

    private static void lines(InputStream stored, DataFile file, Columns columns, Sample sample) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(stored, 1 << 16), StandardCharsets.UTF_8));
        long number = 0;
        for (Optional<String> line = Optional.ofNullable(lines.readLine());
                line.isPresent();
                line = Optional.ofNullable(lines.readLine())) {
            number++;
            try {
                columns.read(line.get(), sample);
            } catch (IllegalArgumentException e) {
                throw new StoreException(
                        "line " + number + " of the inventory cannot be read (" + e.getMessage() + "): " + file.where(),
                        e);
            }
        }
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
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
        void read(String line, Sample sample) {
            String[] fields = line.split(",", -1);
            if (fields.length <= Math.max(key, size)) {
                throw new IllegalArgumentException("it has " + fields.length + " fields");
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
