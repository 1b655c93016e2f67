package dev.stet.plan;

import dev.stet.fanout.FanOut;
import dev.stet.plan.InventoryReader.DataFile;
import dev.stet.stage.TaskFile;
import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectStore;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.task.SourceTask;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cuts a source into copy tasks by an S3 Inventory (CSV). Its files are in no order, so it is not a listing to copy from: a random sample of its keys, sorted, gives the ranges,
 * whose sizes are then as even as the sample is large. Workers list their ranges as ever, so that what changed since the inventory was made is neither missed nor copied twice.
 * Its files are read in a random order, several at once; when there is no time for all, those that were read stand for the others.
 */
public final class InventoryPlanner {
    private static final long SEED = 0x57E7;

    private final ObjectStore inventory;
    private final Source source;
    private final int sampleKeys;
    private final int threads;
    private final BooleanSupplier stop;
    private final Consumer<String> notes;

    /**
     * What the inventory is to be of.
     *
     * @param prefix of the keys that are the source's
     * @param relative from such a key to one relative to the source
     */
    public record Source(String bucket, String prefix, Function<String, Optional<String>> relative) {}

    /**
     * A planner over one inventory.
     *
     * @param inventory the bucket that the inventory is delivered to
     * @param sampleKeys most keys held, some 200 bytes each; a fiftieth of the task's share of it is the error of a task's size
     * @param threads files read at once
     * @param stop asked before each file but the first: when true, no more are read
     * @param notes hears when not all was read
     */
    public InventoryPlanner(
            ObjectStore inventory,
            Source source,
            int sampleKeys,
            int threads,
            BooleanSupplier stop,
            Consumer<String> notes) {
        this.inventory = inventory;
        this.source = source;
        this.sampleKeys = sampleKeys;
        this.threads = threads;
        this.stop = stop;
        this.notes = notes;
    }

    /**
     * Writes the tasks.
     *
     * @param manifestKey of the inventory's {@code manifest.json}
     * @throws StoreException when it is no inventory of the source in CSV, or damaged; the message names what and where
     */
    public SourcePlanner.Planned plan(String manifestKey, TaskSize size, TaskFile file) throws IOException {
        JsonNode manifest = manifest(manifestKey);
        InventoryColumns columns = InventoryColumns.of(manifest, inventory.describe(manifestKey));
        List<DataFile> files = new ArrayList<>();
        manifest.path("files").values().forEach(f -> files.add(new DataFile(f, inventory)));
        Found found = read(files, columns);
        long tasks = Math.max(
                1, Math.max(Math.ceilDiv(found.objects, size.objects()), Math.ceilDiv(found.bytes, size.bytes())));
        List<String> ends = new ArrayList<>();
        for (long i = 1; i < tasks && !found.keys.isEmpty(); i++) {
            String end = found.keys.get((int) Math.min(found.keys.size() - 1, i * found.keys.size() / tasks));
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
                ends.size() + 1, found.objects, found.bytes, 0, List.of(), SourcePlanner.thinned(ends));
    }

    /** What the inventory tells of the source. @param keys a sample, sorted */
    private record Found(long objects, long bytes, List<String> keys) {}

    private Found read(List<DataFile> files, InventoryColumns columns) throws IOException {
        List<DataFile> shuffled = new ArrayList<>(files);
        Collections.shuffle(shuffled, new Random(SEED));
        KeySample sample = new KeySample(sampleKeys, threads);
        List<InventoryReader> readers = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger begun = new AtomicInteger();
        try (FanOut<DataFile> out = new FanOut<>("inventory", threads, () -> {
            InventoryReader reader =
                    new InventoryReader(inventory, columns, source.prefix(), source.relative(), sample.new Part());
            readers.add(reader);
            return file -> {
                if (begun.getAndIncrement() == 0 || !stop.getAsBoolean()) {
                    reader.read(file);
                }
            };
        })) {
            for (DataFile file : shuffled) {
                out.submit(file);
            }
            out.finish();
        }
        List<String> keys = new ArrayList<>(
                sample.keys(readers.stream().map(InventoryReader::sample).toList()));
        keys.sort(KeyOrder.UTF8);
        double share = share(files, readers);
        return new Found(
                Math.round(readers.stream().mapToLong(InventoryReader::objects).sum() / share),
                Math.round(readers.stream().mapToLong(InventoryReader::bytes).sum() / share),
                keys);
    }

    /** How much of the inventory was read. */
    private double share(List<DataFile> files, List<InventoryReader> readers) {
        int read = readers.stream().mapToInt(InventoryReader::filesRead).sum();
        if (read == files.size()) {
            return 1;
        }
        double share = readers.stream().mapToLong(InventoryReader::storedRead).sum()
                / (double) files.stream().mapToLong(DataFile::size).sum();
        notes.accept(String.format(
                Locale.ROOT,
                "time was up when %d of the inventory's %d files were read, %.1f %% of its bytes; they stand for the others",
                read,
                files.size(),
                100 * share));
        return share;
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
            if (!bucket.equals(source.bucket())) {
                throw new StoreException("the inventory is not of the source's bucket " + source.bucket() + " but of "
                        + (bucket.isEmpty() ? "none" : bucket) + ": " + inventory.describe(key));
            }
            return manifest;
        } catch (JacksonException e) {
            throw new StoreException("not an inventory manifest: " + inventory.describe(key), e);
        }
    }
}
