package dev.stet.functions;

import dev.stet.store.ObjectStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** Writes the files of a round: tasks as they come, and beside each an item that says where it lies. No file where there is no task. Not thread-safe. */
final class RoundWriter implements Closeable {
    private record Files(StagedLines tasks, StagedLines items) {}

    private final ObjectStore staging;
    private final Round round;
    private Optional<Files> files = Optional.empty();
    private long count;

    /** @param folder of nobody else: a repeated call has another */
    RoundWriter(ObjectStore staging, int number, int idle, String folder) {
        this.staging = staging;
        this.round = new Round(number, 0, idle, folder);
    }

    void add(String task) throws IOException {
        if (files.isEmpty()) {
            files = Optional.of(
                    new Files(new StagedLines(staging, round.tasksKey()), new StagedLines(staging, round.itemsKey())));
        }
        StagedLines tasks = files.get().tasks();
        long offset = tasks.at();
        int length = tasks.add(task);
        int _ = files.get()
                .items()
                .add(JsonMapper.shared()
                        .createObjectNode()
                        .put("n", count)
                        .put("key", round.tasksKey())
                        .put("offset", offset)
                        .put("length", length)
                        .toString());
        count++;
    }

    long count() {
        return count;
    }

    /** The files are complete. @param idle see {@link Round} */
    Round end(int idle) throws IOException {
        if (files.isPresent()) {
            files.get().tasks().complete();
            files.get().items().complete();
        }
        return new Round(round.number(), count, idle, round.folder());
    }

    @Override
    public void close() throws IOException {
        if (files.isPresent()) {
            try (StagedLines tasks = files.get().tasks();
                    StagedLines items = files.get().items()) {
                assert tasks != items;
            }
        }
    }
}
