package dev.stet.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stet.audit.Digest;
import dev.stet.audit.DigestBuilder;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * What lies, or has to lie, in a sink: for each partition the digest of its records, for each reason the digest of what was set aside. Tallies of several
 * archives add up to the one of all of them. Not thread-safe.
 */
final class Tally implements Outcomes {
    static final String TRAILING_GARBAGE = "trailing_garbage";
    static final String NUL_PADDING = "nul_padding";
    /** Reasons whose spans may be split anywhere: only their bytes are counted, white space apart. */
    private static final Set<String> LOOSE = Set.of(TRAILING_GARBAGE, NUL_PADDING);

    private final Map<Partition, Digest> partitions = new HashMap<>();
    private final TreeMap<String, Digest> spans = new TreeMap<>();
    /** Over the source and offset of each span, so that a right span with a wrong origin is found. */
    private final TreeMap<String, Digest> origins = new TreeMap<>();

    private final TreeMap<String, Long> loose = new TreeMap<>();
    /** Number of times, by reason and source with a tab between. */
    private final TreeMap<String, Long> wholes = new TreeMap<>();
    /** {@code copied} and {@code skipped}; a sink does not tell them. */
    private final TreeMap<String, Long> objects = new TreeMap<>();

    private final DigestBuilder digester = new DigestBuilder();

    @Override
    public void lands(String source, long offset, byte[] record, String path) {
        String kind = Octets.contains(record, '\n') ? Partition.TEXTS : Partition.LINES;
        landed(new Partition(path, kind), digest(record));
    }

    /** Adds records of one partition. */
    void landed(Partition partition, Digest digest) {
        partitions.merge(partition, digest, Digest::plus);
    }

    @Override
    public void setAside(String source, long offset, byte[] span, String reason) {
        if (LOOSE.contains(reason)) {
            loose.merge(reason, blackBytes(span), Long::sum);
        } else {
            spans.merge(reason, digest(trimmed(span)), Digest::plus);
            origins.merge(reason, digest((source + '\n' + offset).getBytes(UTF_8)), Digest::plus);
        }
    }

    @Override
    public void wholeObject(String source, byte[] stored, String reason) {
        wholeObject(source, reason);
    }

    void wholeObject(String source, String reason) {
        wholes.merge(reason + '\t' + source, 1L, Long::sum);
    }

    @Override
    public void object(String source, boolean copied) {
        objects.merge(copied ? "copied" : "skipped", 1L, Long::sum);
    }

    private Digest digest(byte[] bytes) {
        digester.reset();
        digester.add(bytes, 0, bytes.length);
        return digester.digest();
    }

    private static long blackBytes(byte[] span) {
        long count = 0;
        for (byte b : span) {
            count += Octets.isSpace(b) ? 0 : 1;
        }
        return count;
    }

    private static byte[] trimmed(byte[] span) {
        int from = 0;
        int to = span.length;
        while (from < to && Octets.isSpace(span[from])) {
            from++;
        }
        while (to > from && Octets.isSpace(span[to - 1])) {
            to--;
        }
        return Arrays.copyOfRange(span, from, to);
    }

    /** Number of partition paths. */
    int partitionCount() {
        Set<String> paths = new TreeSet<>();
        partitions.keySet().forEach(partition -> paths.add(partition.path()));
        return paths.size();
    }

    /** All records that land. */
    Digest records() {
        return partitions.values().stream().reduce(Digest.EMPTY, Digest::plus);
    }

    /** Items set aside one by one, loose ones not among them. */
    long setAsideCount() {
        return spans.values().stream().mapToLong(Digest::count).sum();
    }

    long objects(String state) {
        return objects.getOrDefault(state, 0L);
    }

    void add(Tally other) {
        other.partitions.forEach(this::landed);
        other.spans.forEach((reason, digest) -> spans.merge(reason, digest, Digest::plus));
        other.origins.forEach((reason, digest) -> origins.merge(reason, digest, Digest::plus));
        other.loose.forEach((reason, bytes) -> loose.merge(reason, bytes, Long::sum));
        other.wholes.forEach((whole, times) -> wholes.merge(whole, times, Long::sum));
        other.objects.forEach((state, count) -> objects.merge(state, count, Long::sum));
    }

    /** What differs in {@code landed} from this, one line each; empty where the sink is right. */
    List<String> differences(Tally landed) {
        List<String> lines = new ArrayList<>();
        compare("", partitions, landed.partitions, Tally::digests, lines);
        compare("quarantine reason=", spans, landed.spans, Tally::digests, lines);
        compare("origins of quarantine reason=", origins, landed.origins, Tally::digests, lines);
        compare(
                "quarantine reason=",
                loose,
                landed.loose,
                (want, got) -> "%s bytes, expected %s".formatted(got, want),
                lines);
        compare(
                "whole object ",
                wholes,
                landed.wholes,
                (want, got) -> "%s times, expected %s".formatted(got, want),
                lines);
        return lines;
    }

    private static String digests(Object want, Object got) {
        return "%s, expected %s".formatted(got, want);
    }

    private static <K, V> void compare(
            String what, Map<K, V> want, Map<K, V> got, BiFunction<Object, Object, String> tell, List<String> lines) {
        Set<K> keys = new TreeSet<>(want.keySet());
        keys.addAll(got.keySet());
        for (K key : keys) {
            Object wanted = want.containsKey(key) ? want.get(key) : "none";
            Object present = got.containsKey(key) ? got.get(key) : "none";
            if (!Objects.equals(wanted, present)) {
                lines.add(what + key + ": " + tell.apply(wanted, present));
            }
        }
    }

    /** Writes the tally as tab-separated lines, after {@code flags} of the copy that it is true of. */
    void save(Path file, List<String> flags) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (String flag : flags) {
                line(out, "flag", flag);
            }
            for (Map.Entry<String, Long> entry : objects.entrySet()) {
                line(out, "objects", entry.getKey(), entry.getValue().toString());
            }
            line(out, "records", records().toString());
            for (Map.Entry<Partition, Digest> entry : new TreeMap<>(partitions).entrySet()) {
                Partition partition = entry.getKey();
                line(
                        out,
                        "partition",
                        partition.path(),
                        partition.kind(),
                        entry.getValue().toString());
            }
            for (Map.Entry<String, Digest> entry : spans.entrySet()) {
                String reason = entry.getKey();
                Digest origin = Objects.requireNonNull(origins.get(reason));
                line(out, "span", reason, entry.getValue().toString(), origin.toString());
            }
            for (Map.Entry<String, Long> entry : loose.entrySet()) {
                line(out, "loose", entry.getKey(), entry.getValue().toString());
            }
            for (Map.Entry<String, Long> entry : wholes.entrySet()) {
                line(out, "whole", entry.getKey(), entry.getValue().toString());
            }
        }
    }

    private static void line(BufferedWriter out, String... fields) throws IOException {
        out.write(String.join("\t", fields));
        out.write('\n');
    }

    static Tally load(Path file) throws IOException {
        Tally tally = new Tally();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                tally.read(line.split("\t", -1));
            }
        }
        return tally;
    }

    private void read(String[] fields) {
        switch (fields[0]) {
            case "objects" -> objects.put(fields[1], Long.parseLong(fields[2]));
            case "partition" -> landed(new Partition(fields[1], fields[2]), Digest.parse(fields[3]));
            case "span" -> {
                spans.put(fields[1], Digest.parse(fields[2]));
                origins.put(fields[1], Digest.parse(fields[3]));
            }
            case "loose" -> loose.put(fields[1], Long.parseLong(fields[2]));
            case "whole" -> wholes.put(fields[1] + '\t' + fields[2], Long.parseLong(fields[3]));
            case "flag", "records" -> {}
            default -> throw new IllegalArgumentException("not a line of a tally: " + String.join("\t", fields));
        }
    }

    /** The flags a saved tally is true of. */
    static List<String> flags(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.takeWhile(line -> line.startsWith("flag\t"))
                    .map(line -> line.substring("flag\t".length()))
                    .toList();
        }
    }
}
