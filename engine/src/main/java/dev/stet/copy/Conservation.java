package dev.stet.copy;

import dev.stet.audit.Digest;
import dev.stet.record.Reason;
import dev.stet.stage.BundleSummary;
import java.util.Map;
import java.util.TreeMap;

/** Invariant 5: what was framed, by the framer's account, is what the slices hold, by theirs. */
final class Conservation {
    private Conservation() {}

    static void check(String commitId, Digest records, Map<Reason, Long> setAside, BundleSummary summary) {
        Map<String, Long> framed = new TreeMap<>();
        setAside.forEach((reason, n) -> framed.merge(reason.wireName(), n, Long::sum));
        if (!records.equals(summary.records()) || !framed.equals(new TreeMap<>(summary.quarantined()))) {
            throw new IllegalStateException(
                    "commit %s does not hold what was read: framed %s and set aside %s, staged %s and %s"
                            .formatted(commitId, records, framed, summary.records(), summary.quarantined()));
        }
    }
}
