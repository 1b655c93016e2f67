package dev.stet.task;

import dev.stet.audit.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What copying did. Adds up over tasks and rounds.
 *
 * @param objectsCopied source objects committed that held something to copy
 * @param objectsSkipped objects with nothing to copy, and those the ledger had
 * @param objectsGone objects asked for by key that are not there
 * @param objectsReplaced of those copied, how many the ledger had in another version
 * @param commits commits that count
 * @param parts commits made of parts of objects; they count with their objects' last ones
 * @param quarantined items set aside, by reason wire name
 * @param bytesRead stored bytes read from the source, repeats included
 * @param bytesStaged bytes of bundles committed
 * @param bytesLanding bytes that they will have when landed
 * @param records digest of the records copied: their number and bytes too
 * @param unreadable objects that could not be read, by reason
 * @param examples some of them, at most {@link #MAX_EXAMPLES}
 */
public record CopyCounters(
        long objectsCopied,
        long objectsSkipped,
        long objectsGone,
        long objectsReplaced,
        long commits,
        long parts,
        Map<String, Long> quarantined,
        long bytesRead,
        long bytesStaged,
        long bytesLanding,
        Digest records,
        Map<String, Long> unreadable,
        List<Unreadable> examples) {
    /** So that the result of a worker stays small whatever happened. */
    public static final int MAX_EXAMPLES = 20;

    public static final CopyCounters NONE =
            new CopyCounters(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, Digest.EMPTY, Map.of(), List.of());

    /** An object that could not be read. */
    public record Unreadable(String key, String reason, String message) {}

    public CopyCounters {
        quarantined = Map.copyOf(quarantined);
        unreadable = Map.copyOf(unreadable);
        examples = examples.stream().limit(MAX_EXAMPLES).toList();
    }

    public CopyCounters plus(CopyCounters o) {
        List<Unreadable> both = new ArrayList<>(examples);
        both.addAll(o.examples);
        return new CopyCounters(
                objectsCopied + o.objectsCopied,
                objectsSkipped + o.objectsSkipped,
                objectsGone + o.objectsGone,
                objectsReplaced + o.objectsReplaced,
                commits + o.commits,
                parts + o.parts,
                sum(quarantined, o.quarantined),
                bytesRead + o.bytesRead,
                bytesStaged + o.bytesStaged,
                bytesLanding + o.bytesLanding,
                records.plus(o.records),
                sum(unreadable, o.unreadable),
                both);
    }

    private static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
        Map<String, Long> sum = new TreeMap<>(a);
        b.forEach((k, n) -> sum.merge(k, n, Long::sum));
        return sum;
    }
}
