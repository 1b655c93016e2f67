package dev.stet.corpus;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an archive is to hold. The same options make the same bytes.
 *
 * @param revision another content under the same keys: the archive's objects as someone replaced them
 * @param firstObject the number of the first object to make; an object's key and content depend on its number alone
 * @param objects how many objects; or as many as {@code bytes} take
 * @param bytes of all objects together before compression, about
 * @param objectBytes of one object before compression, about
 * @param gzipShare of objects that are compressed
 * @param otherCodecs whether some of these are zstd, bzip2 or compressed twice
 * @param wholeFaults share of objects of which nothing can land, such as cut gzip
 * @param empties share of objects with nothing in them
 * @param accidents share of objects with a cut tail, damaged lines, NUL padding or trailing garbage
 * @param badRecords share of records that cannot be routed, or are no objects
 * @param odd hard names, escapes, invalid UTF-8, odd numbers, far days
 * @param maxPayload bytes of the largest payload
 * @param cover give each partition of types x tenants x days its turn, instead of drawing tenants and days
 * @param partitionName the name of the partition folder; empty: the path that matched
 */
record CorpusOptions(
        long seed,
        long revision,
        int firstObject,
        int objects,
        long bytes,
        int objectBytes,
        Set<Framing> framings,
        double gzipShare,
        boolean otherCodecs,
        double wholeFaults,
        double empties,
        double accidents,
        double badRecords,
        boolean odd,
        int maxPayload,
        int types,
        int tenants,
        LocalDate firstDay,
        int days,
        boolean cover,
        Optional<String> partitionName) {

    static final String NAMESPACE_FIELD = "event_type";
    /** Alternatives of one partition level, first usable wins. */
    static final List<String> TENANT_FIELDS =
            List.of("detail.tenant_id", "tenant_id", "tid", "truck.tenant_id", "device.tenant_id");

    static final List<String> TIME_FIELDS = List.of("time", "system_datetime", "date");

    CorpusOptions {
        framings = Set.copyOf(framings);
    }

    /** A bit of everything. */
    static CorpusOptions mixed(long seed, int objects) {
        return new CorpusOptions(
                seed,
                0,
                0,
                objects,
                Long.MAX_VALUE,
                20_000,
                Set.of(Framing.values()),
                0.5,
                true,
                0.04,
                0.03,
                0.1,
                0.01,
                true,
                300_000,
                8,
                40,
                LocalDate.of(2021, 10, 1),
                14,
                false,
                Optional.of("tenant_id"));
    }

    /** A bit of everything in few partitions. */
    static CorpusOptions narrow(long seed, int objects) {
        CorpusOptions mixed = mixed(seed, objects);
        return new CorpusOptions(
                seed,
                mixed.revision,
                mixed.firstObject,
                objects,
                mixed.bytes,
                mixed.objectBytes,
                mixed.framings,
                mixed.gzipShare,
                mixed.otherCodecs,
                mixed.wholeFaults,
                mixed.empties,
                mixed.accidents,
                mixed.badRecords,
                mixed.odd,
                mixed.maxPayload,
                3,
                6,
                mixed.firstDay,
                3,
                mixed.cover,
                mixed.partitionName);
    }

    /** The object of that number alone. */
    CorpusOptions only(int index) {
        return new CorpusOptions(
                seed,
                revision,
                index,
                1,
                Long.MAX_VALUE,
                objectBytes,
                framings,
                gzipShare,
                otherCodecs,
                wholeFaults,
                empties,
                accidents,
                badRecords,
                odd,
                maxPayload,
                types,
                tenants,
                firstDay,
                days,
                cover,
                partitionName);
    }

    /** The arguments of {@code stet copy} that the ground truth holds for. */
    List<String> flags() {
        List<String> flags = new ArrayList<>(List.of(
                "--namespace-fields",
                NAMESPACE_FIELD,
                "--batch-partition-fields",
                String.join(",", TENANT_FIELDS),
                "--batch-time-fields",
                String.join(",", TIME_FIELDS),
                "--time-partition-prefix",
                "p_"));
        partitionName.ifPresent(name -> flags.addAll(List.of("--partition-name", name)));
        return flags;
    }
}
