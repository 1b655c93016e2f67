package dev.stet.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sorts the names of one directory in bounded memory: past {@code limit} names, what is held is sorted into a temporary file, and the files are merged
 * while names are handed out. The files are unlinked as soon as they are open, so nothing is left behind, however the process ends. Not thread-safe.
 */
final class NameSorter {
    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final int limit;
    private final List<FileChannel> spilled = new ArrayList<>();
    private NameList held = new NameList();

    /**
     * @param folder for temporary files, made on demand
     * @param limit names held in memory
     */
    NameSorter(Path folder, int limit) {
        this.folder = folder;
        this.limit = limit;
    }

    void add(String name) throws StoreException {
        if (held.size() == limit) {
            spill();
        }
        held.add(name.getBytes(StandardCharsets.UTF_8));
    }

    int spilledFiles() {
        return spilled.size();
    }

    /** The names in order; what it returns owns the temporary files. The sorter is used up. */
    SortedNames finish() throws StoreException {
        held.sort();
        if (spilled.isEmpty()) {
            return SortedNames.of(held);
        }
        return new Merge();
    }

    /** Gives up and frees what is held. */
    void abandon() {
        spilled.forEach(NameSorter::closeQuietly);
        spilled.clear();
    }

    /** Failures are this machine's and not the directory's whose names are sorted: they stop the run. */
    private void spill() throws StoreException {
        held.sort();
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "stet-names-", ".tmp");
            // The channel is closed by the merge, or by abandon().
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            spilled.add(channel);
            DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER));
            for (int i = 0; i < held.size(); i++) {
                byte[] name = held.bytes(i);
                out.writeShort(name.length);
                out.write(name);
            }
            out.flush();
            channel.position(0);
        } catch (IOException e) {
            throw StoreErrors.of(folder, e);
        }
        held = new NameList();
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // A temporary file that was only read: nothing can be lost.
        }
    }

    /** One sorted run and its first name not yet handed out. */
    private final class Run {
        private final DataInputStream in;
        private long left;
        private byte[] head = new byte[0];

        Run(FileChannel channel, long names) {
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), BUFFER));
            left = names;
        }

        boolean advance() throws StoreException {
            if (left == 0) {
                return false;
            }
            left--;
            try {
                head = new byte[in.readUnsignedShort()];
                in.readFully(head);
            } catch (IOException e) {
                throw StoreErrors.of(folder, e);
            }
            return true;
        }
    }

    private final class Merge implements SortedNames {
        private final PriorityQueue<Run> runs =
                new PriorityQueue<>(Comparator.comparing((Run r) -> r.head, Arrays::compareUnsigned));
        private final NameList last = held;
        private int at;

        Merge() throws StoreException {
            for (FileChannel channel : spilled) {
                Run run = new Run(channel, limit);
                if (run.advance()) {
                    runs.add(run);
                }
            }
        }

        @Override
        public Optional<String> next() throws StoreException {
            Run run = runs.peek();
            if (run == null) {
                return at < last.size() ? Optional.of(last.get(at++)) : Optional.empty();
            }
            String head = new String(run.head, StandardCharsets.UTF_8);
            if (at < last.size()) {
                String name = last.get(at);
                if (KeyOrder.compare(name, head) <= 0) {
                    at++;
                    return Optional.of(name);
                }
            }
            runs.poll();
            if (run.advance()) {
                runs.add(run);
            }
            return Optional.of(head);
        }

        @Override
        public void close() {
            abandon();
        }
    }
}
