package dev.stet.stage;

import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Writes the tasks of a fan-out to staging as they are found: {@code <name>-tasks.jsonl} has a line for each task, of any length; {@code <name>-items.jsonl} has for each
 * a {@link TaskItem}, small enough for any payload. Both appear when it is complete. Not thread-safe.
 */
public final class TaskFile implements Closeable {
    private final Lines tasks;
    private final Lines items;
    private long count;

    /** @param name a key's beginning, new each time: nobody else writes under it */
    public TaskFile(ObjectStore staging, String name) throws IOException {
        this.tasks = new Lines(staging, name + "-tasks.jsonl");
        this.items = new Lines(staging, name + "-items.jsonl");
    }

    /**
     * Where the tasks are.
     *
     * @param itemsKey one {@link TaskItem} a line
     * @param tasks how many; may be 0, both files are there all the same
     * @param bytes of the lines of all tasks
     */
    public record Written(String itemsKey, long tasks, long bytes) {}

    /** Adds a task. @param line without line feeds */
    public void add(String line) throws IOException {
        long offset = tasks.length();
        tasks.line(line);
        items.line(new TaskItem(tasks.key, offset, tasks.length() - offset - 1).toLine());
        count++;
    }

    /** Adds a task that lies in another file, by its item. */
    public void add(TaskItem item) throws IOException {
        items.line(item.toLine());
        count++;
    }

    /** Makes both visible and durable. */
    public Written complete() throws IOException {
        tasks.complete();
        items.complete();
        return new Written(items.key, count, tasks.length());
    }

    /** Gives the unfinished files up, unless they are complete. */
    @Override
    public void close() throws IOException {
        try (tasks) {
            items.close();
        }
    }

    /** One object of lines. */
    private static final class Lines implements Closeable {
        private final ObjectStore staging;
        private final String key;
        private final ObjectWriter writer;
        private final CRC32C crc = new CRC32C();
        private boolean complete;

        Lines(ObjectStore staging, String key) throws IOException {
            this.staging = staging;
            this.key = key;
            this.writer = staging.create(key);
        }

        void line(String line) throws IOException {
            byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
            writer.write(bytes, 0, bytes.length);
            crc.update(bytes);
        }

        long length() {
            return writer.length();
        }

        void complete() throws IOException {
            StagedObjects.complete(staging, key, writer, (int) crc.getValue());
            staging.flush();
            complete = true;
        }

        @Override
        public void close() throws IOException {
            try (writer) {
                if (!complete) {
                    writer.abort();
                }
            }
        }
    }
}
