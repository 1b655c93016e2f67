package dev.stet.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the scripts call: makes an archive with its ground truth, and compares sinks with ground truths. */
public final class Main {
    private static final String USAGE = """
            Main OUT --truth FILE [options]            make an archive in the folder OUT
            Main OUT --truths FOLDER [options]         the same, with a ground truth of its own for each object
                --seed N (1)             --revision N (0)        --first N (0)
                --objects N              --bytes SIZE            one of the two limits (200 objects)
                --object-bytes SIZE (64k)  --max-payload SIZE (300k)
                --framing F,... (all)    newline, concat, crlf, blank_lines, mixed, array, pretty
                --gzip SHARE (0.5)       --other-codecs true|false (true)
                --faults SHARE (0.02)    --empties SHARE (0.02)  --accidents SHARE (0.05)  --bad SHARE (0.005)
                --odd true|false (true)  --types N (8)           --tenants N (40)
                --first-day DATE (2021-10-01)  --days N (14)     --cover true|false (false)
                --partition-name NAME (tenant_id, "" for the path that matched)
            Main compare SINK TRUTH... [--max-objects N]   what lies in SINK against the sum of the TRUTHs; exit code 1 where it differs
            Main flags TRUTH                               the arguments of `stet copy` that the truth is of, one a line
            """;

    private Main() {}

    public static void main(String[] args) throws IOException {
        System.exit(run(args));
    }

    static int run(String... args) throws IOException {
        List<String> plain = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("--") && i + 1 < args.length) {
                options.put(args[i].substring(2), args[++i]);
            } else {
                plain.add(args[i]);
            }
        }
        if (plain.isEmpty()) {
            System.err.print(USAGE);
            return 2;
        }
        return switch (plain.getFirst()) {
            case "compare" -> compare(plain.subList(1, plain.size()), options);
            case "flags" -> {
                Tally.flags(Path.of(plain.get(1))).forEach(System.out::println);
                yield 0;
            }
            default -> make(Path.of(plain.getFirst()), options);
        };
    }

    private static int make(Path out, Map<String, String> given) throws IOException {
        Map<String, String> left = new HashMap<>(given);
        Optional<Path> truth = Optional.ofNullable(left.remove("truth")).map(Path::of);
        Optional<Path> truths = Optional.ofNullable(left.remove("truths")).map(Path::of);
        if (truth.isPresent() == truths.isPresent()) {
            throw new IllegalArgumentException("give either --truth FILE or --truths FOLDER");
        }
        CorpusOptions options = options(left);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("unknown options: " + left.keySet());
        }
        Folder folder = new Folder(out);
        Tally tally = truths.isPresent() ? makeEach(options, folder, truths.get()) : Corpus.write(options, folder);
        if (truth.isPresent()) {
            tally.save(truth.get(), options.flags());
        }
        System.out.printf(
                Locale.ROOT,
                "%d objects with %d records of %d bytes for %d partitions, %d items for quarantine%n",
                tally.objects("copied") + tally.objects("skipped"),
                tally.records().count(),
                tally.records().bytes(),
                tally.partitionCount(),
                tally.setAsideCount());
        return 0;
    }

    /** Makes the objects one by one, each with a truth of its own; {@code keys} in the folder of truths says which is whose. */
    private static Tally makeEach(CorpusOptions options, Folder folder, Path truths) throws IOException {
        Files.createDirectories(truths);
        Tally all = new Tally();
        List<String> keys = new ArrayList<>();
        for (int i = options.firstObject(); i < options.firstObject() + options.objects(); i++) {
            String truth = i + ".tsv";
            Tally one = Corpus.write(options.only(i), (key, stored) -> {
                folder.put(key, stored);
                keys.add(truth + '\t' + key);
            });
            one.save(truths.resolve(truth), options.flags());
            all.add(one);
        }
        Files.write(truths.resolve("keys"), keys);
        return all;
    }

    /** A directory that takes an archive. */
    private record Folder(Path root, Set<Path> made) implements Corpus.Target {
        Folder(Path root) {
            this(root, new HashSet<>());
        }

        @Override
        public void put(String key, byte[] stored) throws IOException {
            Path file = root.resolve(key);
            if (made.add(file.getParent())) {
                Files.createDirectories(file.getParent());
            }
            Files.write(file, stored);
        }
    }

    private static CorpusOptions options(Map<String, String> left) {
        boolean limited = left.containsKey("objects") || left.containsKey("bytes");
        String name = take(left, "partition-name", "tenant_id");
        return new CorpusOptions(
                Long.parseLong(take(left, "seed", "1")),
                Long.parseLong(take(left, "revision", "0")),
                Integer.parseInt(take(left, "first", "0")),
                Integer.parseInt(take(left, "objects", limited ? "2147483647" : "200")),
                size(take(left, "bytes", "1000000g")),
                (int) size(take(left, "object-bytes", "64k")),
                framings(take(left, "framing", "all")),
                Double.parseDouble(take(left, "gzip", "0.5")),
                Boolean.parseBoolean(take(left, "other-codecs", "true")),
                Double.parseDouble(take(left, "faults", "0.02")),
                Double.parseDouble(take(left, "empties", "0.02")),
                Double.parseDouble(take(left, "accidents", "0.05")),
                Double.parseDouble(take(left, "bad", "0.005")),
                Boolean.parseBoolean(take(left, "odd", "true")),
                (int) size(take(left, "max-payload", "300k")),
                Integer.parseInt(take(left, "types", "8")),
                Integer.parseInt(take(left, "tenants", "40")),
                LocalDate.parse(take(left, "first-day", "2021-10-01")),
                Integer.parseInt(take(left, "days", "14")),
                Boolean.parseBoolean(take(left, "cover", "false")),
                name.isEmpty() ? Optional.empty() : Optional.of(name));
    }

    private static String take(Map<String, String> left, String option, String otherwise) {
        return Optional.ofNullable(left.remove(option)).orElse(otherwise);
    }

    private static Set<Framing> framings(String text) {
        if (text.equals("all")) {
            return Set.of(Framing.values());
        }
        return Arrays.stream(text.split(",", -1))
                .map(name -> Framing.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private static long size(String text) {
        int shift = switch (text.charAt(text.length() - 1)) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        return Long.parseLong(shift == 0 ? text : text.substring(0, text.length() - 1)) << shift;
    }

    private static int compare(List<String> plain, Map<String, String> options) throws IOException {
        Tally truth = new Tally();
        for (String file : plain.subList(1, plain.size())) {
            truth.add(Tally.load(Path.of(file)));
        }
        SinkReader.Landing landing = SinkReader.read(SinkTree.of(Path.of(plain.getFirst())));
        int most = Integer.parseInt(options.getOrDefault("max-objects", "2147483647"));
        List<String> differences = landing.differences(truth, most);
        differences.stream().limit(40).forEach(System.out::println);
        if (differences.size() > 40) {
            System.out.println("and " + (differences.size() - 40) + " more");
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d records in %d partitions, %d items in quarantine%n",
                differences.isEmpty() ? "equal to ground truth" : differences.size() + " differences",
                landing.tally().records().count(),
                landing.tally().partitionCount(),
                landing.tally().setAsideCount());
        return differences.isEmpty() ? 0 : 1;
    }
}
