package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stet.audit.DigestBuilder;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a landed tree as a stranger would: from paths and bytes alone. {@code .jsonl}: one record a line; {@code .json}: texts separated by a line feed;
 * {@code .gz} after either. Memory does not grow with the tree, but for the largest quarantined span.
 */
final class SinkReader {
    /**
     * What was found.
     *
     * @param objects number of objects of each partition
     * @param problems whatever breaks the promises of the layout, one line each
     */
    record Landing(Tally tally, Map<Partition, Integer> objects, List<String> problems) {
        /** All that is wrong with the sink, the objects a partition has too many of among it. */
        List<String> differences(Tally truth, int objectsPerPartition) {
            List<String> lines = new ArrayList<>(problems);
            lines.addAll(truth.differences(tally));
            objects.forEach((partition, count) -> {
                if (count > objectsPerPartition) {
                    lines.add("%s: %d objects, expected at most %d".formatted(partition, count, objectsPerPartition));
                }
            });
            return lines;
        }
    }

    private static final Pattern LANDED = Pattern.compile("(?:(.*)/)?([^/]+)\\.(jsonl|json)(\\.gz)?", Pattern.DOTALL);
    private static final Pattern QUARANTINE = Pattern.compile("_quarantine/reason=([a-z0-9_]+)/(.+)", Pattern.DOTALL);
    private static final JsonMapper JSON = new JsonMapper();

    /** A quarantine line whose bytes lie in a file beside it. */
    private record Held(String file, long at, int length, String source, long offset, String reason) {}

    private final SinkTree tree;
    private final Tally tally = new Tally();
    private final Map<Partition, Integer> objects = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<String> files;

    private SinkReader(SinkTree tree) throws IOException {
        this.tree = tree;
        this.files = tree.files();
    }

    static Landing read(SinkTree tree) throws IOException {
        SinkReader reader = new SinkReader(tree);
        for (String file : reader.files) {
            reader.file(file);
        }
        reader.heldSpans();
        return new Landing(reader.tally, reader.objects, reader.problems);
    }

    private void file(String path) throws IOException {
        Matcher quarantine = QUARANTINE.matcher(path);
        if (quarantine.matches() && !hidden(quarantine.group(2))) {
            if (path.endsWith(".jsonl") || path.endsWith(".jsonl.gz")) {
                quarantineLines(path, quarantine.group(1));
            } else if (!path.endsWith(".raw") && !path.endsWith(".raw.gz")) {
                problems.add("stray file in quarantine: " + path);
            }
            return;
        }
        Matcher landed = LANDED.matcher(path);
        if (hidden(path)) {
            problems.add("hidden file in the sink: " + path);
        } else if (!landed.matches()) {
            problems.add("stray file in the sink: " + path);
        } else {
            Partition partition =
                    new Partition(Optional.ofNullable(landed.group(1)).orElse(""), landed.group(3));
            objects.merge(partition, 1, Integer::sum);
            landedObject(path, partition);
        }
    }

    private static boolean hidden(String path) {
        return path.startsWith(".") || path.startsWith("_") || path.contains("/.") || path.contains("/_");
    }

    private InputStream open(String path) throws IOException {
        InputStream in = tree.open(path);
        return path.endsWith(".gz") ? new GZIPInputStream(new BufferedInputStream(in), 1 << 16) : in;
    }

    private void landedObject(String path, Partition partition) throws IOException {
        DigestBuilder digest = new DigestBuilder();
        Splitter splitter = partition.kind().equals(Partition.LINES) ? new Lines(digest) : new Texts(digest);
        try (InputStream in = open(path)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                splitter.take(buffer, n);
            }
        } catch (IOException e) {
            problems.add("cannot be read to its end: " + path + ": " + e.getMessage());
            return;
        }
        splitter.end();
        splitter.problem().ifPresent(problem -> problems.add(problem + ": " + path));
        tally.landed(partition, digest.digest());
    }

    /** Finds the records of one landed object and hands them to the digest in pieces. */
    private abstract static sealed class Splitter {
        final DigestBuilder digest;
        private Optional<String> problem = Optional.empty();

        private Splitter(DigestBuilder digest) {
            this.digest = digest;
        }

        abstract void take(byte[] buffer, int length);

        abstract void end();

        void wrong(String what) {
            if (problem.isEmpty()) {
                problem = Optional.of(what);
            }
        }

        Optional<String> problem() {
            return problem;
        }
    }

    private static final class Lines extends Splitter {
        private long lineLength;
        private boolean any;

        private Lines(DigestBuilder digest) {
            super(digest);
        }

        @Override
        void take(byte[] buffer, int length) {
            any |= length > 0;
            int from = 0;
            for (int i = 0; i < length; i++) {
                if (buffer[i] == '\n') {
                    piece(buffer, from, i);
                    endLine();
                    from = i + 1;
                }
            }
            piece(buffer, from, length);
        }

        private void piece(byte[] buffer, int from, int to) {
            if (to > from) {
                digest.addPiece(buffer, from, to);
                lineLength += to - from;
            }
        }

        private void endLine() {
            if (lineLength == 0) {
                wrong("blank line");
            } else {
                digest.endPieces();
            }
            lineLength = 0;
        }

        @Override
        void end() {
            if (lineLength > 0) {
                wrong("no line end after the last record");
                endLine();
            }
            if (!any) {
                wrong("empty object");
            }
        }
    }

    private static final class Texts extends Splitter {
        private enum State {
            BEFORE,
            INSIDE,
            AFTER
        }

        private State state = State.BEFORE;
        private int depth;
        private boolean inString;
        private boolean escaped;
        private boolean manyLines;
        private boolean any;

        private Texts(DigestBuilder digest) {
            super(digest);
        }

        @Override
        void take(byte[] buffer, int length) {
            any |= length > 0;
            int from = 0;
            for (int i = 0; i < length; i++) {
                byte b = buffer[i];
                switch (state) {
                    case BEFORE -> {
                        if (b == '{') {
                            state = State.INSIDE;
                            depth = 1;
                            from = i;
                        } else {
                            wrong("a byte between texts");
                        }
                    }
                    case INSIDE -> {
                        if (ends(b)) {
                            digest.addPiece(buffer, from, i + 1);
                            endText();
                        }
                    }
                    case AFTER -> {
                        if (b != '\n') {
                            wrong("no line feed after a text");
                        }
                        state = State.BEFORE;
                    }
                }
            }
            if (state == State.INSIDE && from < length) {
                digest.addPiece(buffer, from, length);
            }
        }

        /** Steps over a byte of a text; true at its last one. */
        private boolean ends(byte b) {
            manyLines |= b == '\n';
            if (inString) {
                inString = escaped || b != '"';
                escaped = !escaped && b == '\\';
                return false;
            }
            switch (b) {
                case '"' -> inString = true;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            return depth == 0;
        }

        private void endText() {
            digest.endPieces();
            if (!manyLines) {
                wrong("a record on one line in a .json object");
            }
            manyLines = false;
            state = State.AFTER;
        }

        @Override
        void end() {
            if (state != State.BEFORE || !any) {
                wrong(any ? "ends within a text" : "empty object");
            }
        }
    }

    private void quarantineLines(String path, String reason) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream in = new BufferedInputStream(open(path), 1 << 16)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b == '\n') {
                    item(path, reason, line.toByteArray());
                    line.reset();
                } else {
                    line.write(b);
                }
            }
        }
        if (line.size() > 0) {
            problems.add("no line end after the last item: " + path);
        }
    }

    private void item(String path, String reason, byte[] line) {
        JsonNode item;
        try {
            item = JSON.readTree(line);
        } catch (JacksonException e) {
            problems.add("not a JSON line: " + path + ": " + start(line));
            return;
        }
        if (!item.path("reason").asString("").equals(reason)
                || !item.path("source").isString()
                || !item.path("whole_object").isBoolean()) {
            problems.add("no reason, source or whole_object: " + path + ": " + start(line));
            return;
        }
        String source = item.path("source").stringValue();
        if (item.path("whole_object").booleanValue()) {
            tally.wholeObject(source, reason);
            return;
        }
        if (!item.path("offset").isIntegralNumber() || !item.path("length").isIntegralNumber()) {
            problems.add("no offset or length: " + path + ": " + start(line));
            return;
        }
        long offset = item.path("offset").longValue();
        int length = Math.toIntExact(item.path("length").longValue());
        if (item.path("held_in").isString()) {
            String file = path.substring(0, path.lastIndexOf('/') + 1)
                    + item.path("held_in").stringValue();
            held.add(new Held(file, item.path("held_at").asLong(0), length, source, offset, reason));
            return;
        }
        Optional<byte[]> bytes = inline(item);
        if (bytes.isEmpty() || bytes.get().length != length) {
            problems.add("its bytes are not those of its length: " + path + ": " + start(line));
            return;
        }
        tally.setAside(source, offset, bytes.get(), reason);
    }

    private static Optional<byte[]> inline(JsonNode item) {
        if (item.path("text").isString()) {
            return Optional.of(item.path("text").stringValue().getBytes(UTF_8));
        }
        if (item.path("base64").isString()) {
            byte[] bytes = Base64.getDecoder().decode(item.path("base64").stringValue());
            // People read and grep these: base64 is for what is no text.
            return valid(bytes) ? Optional.empty() : Optional.of(bytes);
        }
        return Optional.empty();
    }

    private static boolean valid(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String start(byte[] line) {
        return new String(line, 0, Math.min(160, line.length), UTF_8);
    }

    /** Reads the spans that lie in files of their own, each file once from start to end. */
    private void heldSpans() throws IOException {
        held.sort(Comparator.comparing(Held::file).thenComparingLong(Held::at));
        String current = "";
        long position = 0;
        InputStream in = InputStream.nullInputStream();
        try {
            for (Held span : held) {
                String stored = files.contains(span.file()) ? span.file() : span.file() + ".gz";
                if (!files.contains(stored)) {
                    problems.add("named as held_in and not there: " + span.file());
                    continue;
                }
                if (!span.file().equals(current)) {
                    in.close();
                    in = open(stored);
                    current = span.file();
                    position = 0;
                }
                in.skipNBytes(span.at() - position);
                byte[] bytes = in.readNBytes(span.length());
                position = span.at() + bytes.length;
                if (bytes.length == span.length()) {
                    tally.setAside(span.source(), span.offset(), bytes, span.reason());
                } else {
                    problems.add("shorter than a span said to be held in it: " + stored);
                }
            }
        } finally {
            in.close();
        }
    }
}
