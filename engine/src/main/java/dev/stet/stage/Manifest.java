package dev.stet.stage;

import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a commit's manifest: gzip, one JSON line for each source object in each slice, {@code {"run":0,"slice":3,"path":…,"suffix":…,"source":…,
 * "version":…,"ranges":[[offset,length,records],…]}}, in bytes after decompression; records that follow each other share a range. Then one line for each
 * object that counts, {@code {"source":…,"version":…,"etag":…,"size":…}}. The last line names
 * the runs that count, {@code {"runs":[0,2]}}: lines of other runs are void (an object proved damaged after they were written). Not thread-safe.
 */
final class Manifest implements Closeable {
    private final ObjectStore staging;
    private final String key;
    private final BeforeFirstByte before;
    private Optional<Output> output = Optional.empty();
    private final StringBuilder line = new StringBuilder(256);
    private boolean firstRange = true;

    Manifest(ObjectStore staging, String key, BeforeFirstByte before) {
        this.staging = staging;
        this.key = key;
        this.before = before;
    }

    void beginLine(int run, int slice, String path, SliceKind kind, SourceRef source) {
        line.setLength(0);
        line.append("{\"run\":").append(run).append(",\"slice\":").append(slice).append(",\"path\":");
        JsonText.quote(line, path);
        line.append(",\"suffix\":\"").append(kind.suffix()).append("\",\"source\":");
        JsonText.quote(line, source.key());
        line.append(",\"version\":");
        source.version().ifPresentOrElse(v -> JsonText.quote(line, v), () -> line.append("null"));
        line.append(",\"ranges\":[");
        firstRange = true;
    }

    /** @param records consecutive in the source, between {@code offset} and {@code end} */
    void range(long offset, long end, long records) throws IOException {
        if (!firstRange) {
            line.append(',');
        }
        firstRange = false;
        line.append('[')
                .append(offset)
                .append(',')
                .append(end - offset)
                .append(',')
                .append(records)
                .append(']');
        if (line.length() > 1 << 16) {
            flushLine();
        }
    }

    void endLine() throws IOException {
        line.append("]}\n");
        flushLine();
    }

    private void flushLine() throws IOException {
        out().gzip.write(line.toString().getBytes(StandardCharsets.UTF_8));
        line.setLength(0);
    }

    private Output out() throws IOException {
        if (output.isEmpty()) {
            before.run();
            output = Optional.of(new Output(staging.create(key)));
        }
        return output.get();
    }

    /** Which content of an object was read. @param size bytes stored */
    record ObjectLine(SourceRef source, String etag, long size) {}

    /** Ends the manifest and makes it durable. */
    void complete(List<RunInfo> runs, List<ObjectLine> objects) throws IOException {
        for (ObjectLine o : objects) {
            line.setLength(0);
            line.append("{\"source\":");
            JsonText.quote(line, o.source().key());
            line.append(",\"version\":");
            o.source().version().ifPresentOrElse(v -> JsonText.quote(line, v), () -> line.append("null"));
            line.append(",\"etag\":");
            JsonText.quote(line, o.etag());
            line.append(",\"size\":").append(o.size()).append("}\n");
            flushLine();
        }
        line.setLength(0);
        line.append("{\"runs\":")
                .append(runs.stream().map(RunInfo::number).toList())
                .append("}\n");
        flushLine();
        Output out = out();
        out.gzip.finish();
        StagedObjects.complete(staging, key, out.writer, (int) out.crc.getValue());
    }

    void abort() throws IOException {
        if (output.isPresent()) {
            output.get().writer.abort();
        }
    }

    @Override
    public void close() throws IOException {
        if (output.isPresent()) {
            output.get().gzip.free();
            output.get().writer.close();
        }
    }

    /** The store's writer under a gzip stream, with a checksum between. */
    private static final class Output extends OutputStream {
        private final ObjectWriter writer;
        private final CRC32C crc = new CRC32C();
        private final FastGzip gzip;

        Output(ObjectWriter writer) throws IOException {
            this.writer = writer;
            this.gzip = new FastGzip(this);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            writer.write(b, off, off + len);
            crc.update(b, off, len);
        }
    }

    /** GZIPOutputStream lets the level be set only from within. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 1 << 15);
            def.setLevel(Deflater.BEST_SPEED);
        }

        /** Frees the native memory without writing anything more. */
        void free() {
            def.end();
        }
    }
}
