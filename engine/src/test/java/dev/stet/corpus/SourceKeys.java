package dev.stet.corpus;

import java.time.LocalDate;

/** Keys as Firehose and its owners name objects: date prefixes in both usual forms, and a few names that are hard on file systems and URLs. */
final class SourceKeys {
    private final CorpusOptions options;

    SourceKeys(CorpusOptions options) {
        this.options = options;
    }

    /** The key of object number {@code index}, unique by its last part. */
    String key(int index, int day, boolean gzip) {
        Dice dice = new Dice(options.seed(), 1, index);
        LocalDate date = options.firstDay().plusDays(day);
        int hour = dice.below(24);
        String folder = dice.chance(0.5)
                ? "year=%04d/month=%02d/day=%02d/".formatted(date.getYear(), date.getMonthValue(), date.getDayOfMonth())
                : "%04d/%02d/%02d/%02d/".formatted(date.getYear(), date.getMonthValue(), date.getDayOfMonth(), hour);
        if (options.odd() && dice.chance(0.03)) {
            folder = dice.pick("b\u00fcro/", "a b+c/", "100%25/", "\ud83d\ude80/", "_errors/", "x=1&y=2/", ".old/")
                    + folder;
        }
        String name = "firehose-1-%s-%02d-%02d-%02d-%08x%05d"
                .formatted(date, hour, dice.below(60), dice.below(60), (int) dice.below(1L << 32), index);
        // The name says nothing about compression, so it may lie.
        boolean suffix = dice.chance(0.05) != (gzip && dice.chance(0.6));
        return folder + name + (suffix ? ".gz" : "");
    }
}
