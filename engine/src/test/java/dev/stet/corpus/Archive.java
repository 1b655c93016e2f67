package dev.stet.corpus;

import dev.stet.audit.Digest;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An archive with a bit of everything in few partitions, and its ground truth: for suites of other packages. */
public final class Archive {
    /** Takes the objects of the archive. */
    public interface Target {
        void put(String key, byte[] stored) throws IOException;
    }

    private final CorpusOptions options;
    private final Tally truth = new Tally();

    private Archive(CorpusOptions options) {
        this.options = options;
    }

    /** Of objects of about {@code objectBytes}; the same arguments give the same bytes. */
    public static Archive of(long seed, int objects, int objectBytes) {
        return new Archive(new CorpusOptions(
                seed,
                0,
                0,
                objects,
                Long.MAX_VALUE,
                objectBytes,
                Set.of(Framing.values()),
                0.5,
                true,
                0.04,
                0.03,
                0.1,
                0.01,
                true,
                20_000,
                3,
                6,
                LocalDate.of(2021, 10, 1),
                3,
                false,
                Optional.of("tenant_id")));
    }

    /** Of faultless objects of one day in four partitions. */
    public static Archive plain(long seed, int objects, int objectBytes) {
        return new Archive(new CorpusOptions(
                seed,
                0,
                0,
                objects,
                Long.MAX_VALUE,
                objectBytes,
                Set.of(Framing.values()),
                0.5,
                false,
                0,
                0,
                0,
                0,
                false,
                1_000,
                2,
                2,
                LocalDate.of(2021, 10, 1),
                1,
                false,
                Optional.of("tenant_id")));
    }

    /** The object of that number alone. */
    public Archive only(int index) {
        return new Archive(options.only(index));
    }

    /** Makes the objects. To be called once. */
    public Archive write(Target target) throws IOException {
        Corpus.write(options, target::put, truth);
        return this;
    }

    /** Adds the truth of another archive to this one's. */
    public void add(Archive other) {
        truth.add(other.truth);
    }

    /** All that is wrong with a sink; nothing when it holds what it has to, byte for byte, once. */
    public List<String> differences(ObjectStore sink, int objectsPerPartition) throws IOException {
        return SinkReader.read(SinkTree.of(sink)).differences(truth, objectsPerPartition);
    }

    /** Objects that hold something to copy. */
    public long objects() {
        return truth.objects("copied");
    }

    public Digest records() {
        return truth.records();
    }
}
