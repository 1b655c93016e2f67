package dev.stet.run;

import dev.stet.config.ConfigException;
import dev.stet.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;

/** The folder of one pipeline's state, locked: one process at a time. */
final class StateFolder implements Closeable {
    private final Path path;
    private final FileChannel channel;

    private StateFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Where the state of a pipeline lies by default: a folder per user (design §6). */
    static Path byDefault(String pipelineId, Map<String, String> environment) throws ConfigException {
        Optional<String> state =
                Optional.ofNullable(environment.get("XDG_STATE_HOME")).filter(s -> s.startsWith("/"));
        Optional<String> home = Optional.ofNullable(environment.get("HOME")).filter(s -> !s.isEmpty());
        Path base = state.map(Path::of)
                .or(() -> home.map(h -> Path.of(h, ".local", "state")))
                .orElseThrow(() -> new ConfigException(
                        "no place for the state: neither HOME nor XDG_STATE_HOME is set; give --state DIR"));
        return base.resolve("stet").resolve(pipelineId).toAbsolutePath();
    }

    /** The file of the ledger in a state folder. */
    static Path ledger(Path folder) {
        return folder.resolve("ledger.sqlite");
    }

    /** @throws StoreException when another process holds it, or it cannot be written */
    static StateFolder lock(Path path) throws StoreException {
        try {
            Files.createDirectories(path);
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            Optional<FileLock> lock = tryLock(channel);
            if (lock.isEmpty()) {
                channel.close();
                throw new StoreException(
                        "another stet is at work with this state: " + path + "; wait for it, or end it");
            }
            return new StateFolder(path, channel);
        } catch (FileAlreadyExistsException e) {
            throw new StoreException("the state is to be a folder, but a file is in its place: " + path, e);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException("the state cannot be written: " + path + " (" + reason(e) + ")", e);
        }
    }

    private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    private static String reason(IOException e) {
        return e instanceof java.nio.file.AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }

    Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
