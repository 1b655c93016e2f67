package dev.stet.copy;

import dev.stet.audit.Digest;
import dev.stet.codec.DecodedObject;
import dev.stet.codec.SourceDecoder;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitDetails;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.PartialCopy;
import dev.stet.record.Framer;
import dev.stet.record.Reason;
import dev.stet.record.WholeObjectException;
import dev.stet.route.Router;
import dev.stet.stage.BundleBuilder;
import dev.stet.stage.SourceRef;
import dev.stet.store.ObjectChangedException;
import dev.stet.store.ObjectIdentity;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectRead;
import dev.stet.store.ObjectStore;
import dev.stet.store.SourceStore;
import dev.stet.store.UnreadableObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Copies objects that are too large for one worker, in several commits (design §6): each takes the object on from where the last one ended, between two top-level values,
 * and none counts before the last. Who works on it, and how many, does not matter: the ledger's row of the object says how far it is. Not thread-safe.
 *
 * <p>What is stored as it reads is read from there on; of what is compressed, the part before is inflated again and dropped.
 */
final class PartCopier {
    private static final int TRAILING_BUFFER = 64 << 10;

    private final SourceStore source;
    private final ObjectStore staging;
    private final Ledger ledger;
    private final Committer committer;
    private final CommitIds ids;
    private final LeaseKeeper leases;
    private final Clock clock;
    private final WorkerSettings settings;
    private final CopyMeter meter;
    private final Framer framer;
    private final Router router;

    PartCopier(
            SourceStore source,
            ObjectStore staging,
            Ledger ledger,
            Committer committer,
            CommitIds ids,
            LeaseKeeper leases,
            Clock clock,
            WorkerSettings settings,
            CopyMeter meter,
            Framer framer,
            Router router) {
        this.source = source;
        this.staging = staging;
        this.ledger = ledger;
        this.committer = committer;
        this.ids = ids;
        this.leases = leases;
        this.clock = clock;
        this.settings = settings;
        this.meter = meter;
        this.framer = framer;
        this.router = router;
    }

    /** Whether the object is copied in parts: where only its content tells its identity, it must be read at once. */
    static boolean takes(ObjectInfo info, PartLimits limits) {
        return info.size() >= limits.minObjectBytes() && info.etag().isPresent();
    }

    /** What one commit led to. */
    private enum Step {
        /** A part is committed; there is more. */
        MORE,
        /** Another one was at work, or the object changed: look again. */
        LOST,
        SETTLED,
        LEFT
    }

    /** Copies the object as far as there is time. @return false when it is left for another worker */
    boolean copy(TodoObject first) throws IOException {
        TodoObject todo = first;
        while (!settings.stop().getAsBoolean()) {
            switch (step(todo)) {
                case MORE -> {}
                case SETTLED -> {
                    return true;
                }
                case LEFT -> {
                    return false;
                }
                case LOST -> {
                    Optional<TodoObject> now =
                            new ObjectLookup(source, ledger).again(todo.info().key(), meter);
                    if (now.isEmpty()) {
                        return true;
                    }
                    todo = now.get();
                }
            }
        }
        return false;
    }

    private Step step(TodoObject todo) throws IOException {
        ObjectInfo info = todo.info();
        String etag = info.etag().orElseThrow();
        PartialCopy from =
                ledger.partialCopy(info.key()).orElse(PartialCopy.none(info.key(), etag, info.size(), todo.before()));
        if (!from.isOf(etag, info.size(), todo.before())) {
            boolean _ = committer.abandonPartialCopy(from);
            return Step.LOST;
        }
        if (from.commits().size() == Ledger.MAX_PARTIAL_COMMITS) {
            boolean _ = committer.abandonPartialCopy(from);
            return tooLarge(info.key(), "more than " + Ledger.MAX_PARTIAL_COMMITS + " parts");
        }
        long start = clock.millis();
        try {
            return new OnePart(info, todo, from, ids.next()).commit();
        } catch (StoppedException e) {
            return clock.millis() - start >= settings.parts().patienceMillis()
                    ? tooLarge(info.key(), "no place to end a part in the time of a worker")
                    : Step.LEFT;
        } catch (ObjectChangedException e) {
            boolean _ = from.commits().isEmpty() || committer.abandonPartialCopy(from);
            return Step.LOST;
        } catch (CommitLostException e) {
            return Step.LOST;
        } catch (UnreadableObjectException e) {
            meter.unreadable(info.key(), e.why().name().toLowerCase(Locale.ROOT), String.valueOf(e.getMessage()));
            return Step.SETTLED;
        }
    }

    private Step tooLarge(String key, String why) {
        meter.unreadable(
                key, "too_large_for_worker", "it is too large for a worker (" + why + "); copy it with one machine");
        return Step.SETTLED;
    }

    /** One commit of an object. */
    private final class OnePart {
        private final ObjectInfo info;
        private final TodoObject todo;
        private final PartialCopy from;
        private final String id;
        private final BegunCommit begun;

        OnePart(ObjectInfo info, TodoObject todo, PartialCopy from, String id) {
            this.info = info;
            this.todo = todo;
            this.from = from;
            this.id = id;
            this.begun = new BegunCommit(id, staging, committer, leases, clock);
        }

        Step commit() throws IOException {
            try (ObjectRead read = source.open(info, from.stored() ? from.offset() : 0);
                    BundleBuilder bundle =
                            new BundleBuilder(staging, id, settings.codec(), settings.memory(), begun::ensure)) {
                Step step = Step.LOST;
                try {
                    step = stage(read, bundle);
                } finally {
                    begun.end(step != Step.LOST, bundle);
                }
                return step;
            }
        }

        private Step stage(ObjectRead read, BundleBuilder bundle) throws IOException {
            SourceRef ref = new SourceRef(info.key(), read.version());
            RecordCollector collector = new RecordCollector(router, bundle);
            bundle.beginObject(ref);
            collector.beginObject();
            Grace grace = new Grace(settings.stop(), clock);
            InputStream body = new MeteredBody(
                    read.body(),
                    bytes -> {
                        meter.read(bytes);
                        grace.read(bytes);
                    },
                    grace);
            try {
                if (from.stored()) {
                    return end(frame(body, collector), true, read, bundle, collector);
                }
                try (DecodedObject decoded = SourceDecoder.open(body)) {
                    decoded.content().skipNBytes(from.offset());
                    Framer.Stretch stretch = frame(decoded.content(), collector);
                    if (stretch.ended()) {
                        collector.trailing(decoded.trailing(), new byte[TRAILING_BUFFER], stretch.offset());
                    }
                    return end(stretch, !decoded.compressed(), read, bundle, collector);
                }
            } catch (WholeObjectException e) {
                return setAsideWhole(e.reason(), ref, bundle);
            }
        }

        private Framer.Stretch frame(InputStream content, RecordCollector collector) throws IOException {
            CountingStream counted = new CountingStream(content);
            Framer.Stretch stretch = framer.frame(
                    counted,
                    from.offset(),
                    collector,
                    () -> settings.stop().getAsBoolean()
                            || counted.count() >= settings.parts().partBytes());
            long length = stretch.offset() - from.offset();
            if (stretch.bytes().total() != length || (stretch.ended() && counted.count() != length)) {
                throw new IllegalStateException("%s: %d bytes read from %d on, but %s accounted for"
                        .formatted(info.key(), counted.count(), from.offset(), stretch));
            }
            return stretch;
        }

        private Step end(
                Framer.Stretch stretch, boolean stored, ObjectRead read, BundleBuilder bundle, RecordCollector c)
                throws IOException {
            if (!stretch.ended()) {
                bundle.endPart();
                CommitDetails details = begun.complete(bundle, c.records(), c.setAsideCounts(), 0);
                PartialCopy next = from.with(id, stretch.offset(), stored);
                if (committer.commitPart(details, next) == Committer.Result.LOST) {
                    return Step.LOST;
                }
                meter.partCommitted();
                return Step.MORE;
            }
            ObjectIdentity identity = read.finish();
            bundle.endObject(identity.etag(), identity.size());
            return makeCount(identity, from, begun.complete(bundle, c.records(), c.setAsideCounts(), 1));
        }

        /** It is damaged: no part of it lands, it is set aside as a whole. */
        private Step setAsideWhole(Reason reason, SourceRef ref, BundleBuilder bundle) throws IOException {
            bundle.dropObject();
            if (!from.commits().isEmpty() && !committer.abandonPartialCopy(from)) {
                return Step.LOST;
            }
            bundle.setAsideWhole(reason, ref, from.etag(), from.size());
            PartialCopy none = PartialCopy.none(from.key(), from.etag(), from.size(), from.before());
            ObjectIdentity identity = new ObjectIdentity(from.key(), from.etag(), from.size(), ref.version());
            return makeCount(identity, none, begun.complete(bundle, Digest.EMPTY, Map.of(reason, 1L), 1));
        }

        private Step makeCount(ObjectIdentity identity, PartialCopy parts, CommitDetails details) throws IOException {
            CopiedObject object = CopiedObject.of(identity, todo.before());
            CommitDetails last = details.withParts(parts.commits());
            CommitDetails all = sum(parts, last);
            Committer.Result result = parts.commits().isEmpty()
                    ? committer.commit(id, last, List.of(object))
                    : committer.commitLast(id, last, object, parts);
            if (result == Committer.Result.LOST) {
                return Step.LOST;
            }
            boolean empty = all.records().count() == 0 && all.quarantined().isEmpty();
            meter.committed(empty ? 0 : 1, all);
            if (empty) {
                meter.skipped();
            }
            if (todo.before().isPresent()) {
                meter.replaced(info.key());
            }
            return Step.SETTLED;
        }
    }

    /** What the object's commits hold together. */
    private CommitDetails sum(PartialCopy parts, CommitDetails last) throws IOException {
        CommitDetails sum = last;
        for (String id : parts.commits()) {
            Optional<CommitDetails> part = ledger.find(id).flatMap(Commit::details);
            sum = part.isPresent() ? sum(part.get(), sum) : sum;
        }
        return sum;
    }

    private static CommitDetails sum(CommitDetails a, CommitDetails b) {
        Map<String, Long> quarantined = new TreeMap<>(a.quarantined());
        b.quarantined().forEach((reason, n) -> quarantined.merge(reason, n, Long::sum));
        List<Long> times = new ArrayList<>(a.timePartitions());
        times.addAll(b.timePartitions());
        return new CommitDetails(
                a.bundleLength() + b.bundleLength(),
                0,
                "",
                a.objects() + b.objects(),
                a.records().plus(b.records()),
                quarantined,
                a.landingBytes() + b.landingBytes(),
                times.stream().sorted().distinct().toList(),
                b.parts());
    }
}
