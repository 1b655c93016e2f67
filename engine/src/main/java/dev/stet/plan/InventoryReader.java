package dev.stet.plan;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.stet.store.ObjectStore;
import dev.stet.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import tools.jackson.databind.JsonNode;

/** Reads files of an inventory: counts the source's objects and takes a sample of their keys. Only keys of the sample become texts. Not thread-safe. */
final class InventoryReader {
    private static final int BUFFER = 1 << 18;
    /** A key has 1,024 bytes, which are three times as many encoded. */
    private static final int LONGEST_LINE = 1 << 16;

    private final ObjectStore inventory;
    private final InventoryColumns.Line line;
    private final byte[] prefix;
    private final Function<String, Optional<String>> relative;
    private final KeySample.Part sample;
    private final byte[] buffer = new byte[BUFFER];
    private long objects;
    private long bytes;
    private long storedRead;
    private int filesRead;

    InventoryReader(
            ObjectStore inventory,
            InventoryColumns columns,
            String prefix,
            Function<String, Optional<String>> relative,
            KeySample.Part sample) {
        this.inventory = inventory;
        this.line = columns.new Line();
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.relative = relative;
        this.sample = sample;
    }

    /** A data file, as the manifest tells of it. @param size stored bytes */
    record DataFile(String key, long size, String md5, String where) {
        DataFile(JsonNode file, ObjectStore store) {
            this(
                    file.path("key").asString(""),
                    file.path("size").asLong(0),
                    file.path("MD5checksum").asString(""),
                    store.describe(file.path("key").asString("")));
        }
    }

    long objects() {
        return objects;
    }

    long bytes() {
        return bytes;
    }

    /** Stored bytes of the files read. */
    long storedRead() {
        return storedRead;
    }

    int filesRead() {
        return filesRead;
    }

    KeySample.Part sample() {
        return sample;
    }

    /** Reads a file. @throws StoreException when it is damaged or holds what is no line of an inventory */
    void read(DataFile file) throws IOException {
        MessageDigest md5 = md5();
        try (InputStream stored = new DigestInputStream(inventory.read(file.key(), 0, file.size()), md5)) {
            lines(new GZIPInputStream(stored, 1 << 16), file);
            long _ = stored.transferTo(OutputStream.nullOutputStream());
        } catch (ZipException | EOFException e) {
            throw new StoreException("a file of the inventory is damaged (" + e.getMessage() + "): " + file.where(), e);
        }
        String read = HexFormat.of().formatHex(md5.digest());
        if (!file.md5().isEmpty() && !file.md5().equalsIgnoreCase(read)) {
            throw new StoreException("a file of the inventory is damaged (its MD5 is " + read + ", the manifest says "
                    + file.md5() + "): " + file.where());
        }
        storedRead += file.size();
        filesRead++;
    }

    private void lines(InputStream in, DataFile file) throws IOException {
        long number = 0;
        int held = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer, held, BUFFER - held)) {
            int end = held + n;
            int start = 0;
            for (int i = held; i < end; i++) {
                if (buffer[i] == '\n') {
                    line(start, i, ++number, file);
                    start = i + 1;
                }
            }
            held = end - start;
            System.arraycopy(buffer, start, buffer, 0, held);
            if (held > LONGEST_LINE) {
                throw refused(number + 1, "it is too long", file, Optional.empty());
            }
        }
        if (held > 0) {
            line(0, held, number + 1, file);
        }
    }

    private void line(int from, int end, long number, DataFile file) throws StoreException {
        int to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
        try {
            line.read(buffer, from, to);
            if (line.isObject() && line.keyBegins(prefix)) {
                bytes += line.size();
                objects++;
                take();
            }
        } catch (IllegalArgumentException e) {
            throw refused(number, String.valueOf(e.getMessage()), file, Optional.of(e));
        }
    }

    private void take() {
        int from = line.keyFrom();
        long hash = Hashing.xxh3_64().hashBytesToLong(buffer, from, line.keyLength());
        if (sample.wants(hash)) {
            byte[] encoded = Arrays.copyOfRange(buffer, from, from + line.keyLength());
            String key = URLDecoder.decode(new String(encoded, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            relative.apply(key).ifPresent(k -> sample.take(hash, k));
        }
    }

    private static StoreException refused(long number, String why, DataFile file, Optional<Throwable> cause) {
        String text = "line " + number + " of the inventory cannot be read (" + why + "): " + file.where();
        return cause.isPresent() ? new StoreException(text, cause.get()) : new StoreException(text);
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
