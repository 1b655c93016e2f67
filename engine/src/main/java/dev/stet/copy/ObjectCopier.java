package dev.stet.copy;

import dev.stet.audit.Digest;
import dev.stet.codec.DecodedObject;
import dev.stet.codec.SourceDecoder;
import dev.stet.ledger.Fingerprint;
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
import dev.stet.store.SourceReads;
import dev.stet.store.SourceStore;
import dev.stet.store.UnreadableObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Copies the records of one source object after another into the bundle of one commit: GET, inflate, frame, route. What an object gave counts only if its
 * end was read without fault. Not thread-safe; one for each commit.
 */
final class ObjectCopier {
    /** An object that changes under each of so many reads is left for the next run. */
    private static final int MAX_READS = 4;

    private static final int TRAILING_BUFFER = 64 << 10;

    private final SourceStore source;
    private final SourceReads reads;
    private final Framer framer;
    private final BundleBuilder bundle;
    private final RecordCollector collector;
    private final CopyMeter meter;
    private final BooleanSupplier stop;

    private Digest records = Digest.EMPTY;
    private final EnumMap<Reason, Long> setAside = new EnumMap<>(Reason.class);

    /** What became of an object. */
    sealed interface Copied {
        /** It is in the bundle. @param empty it held nothing to copy */
        record Done(ObjectIdentity identity, boolean empty) implements Copied {}

        /** The ledger has this very version. */
        record Known() implements Copied {}

        /** It could not be read, and was reported. */
        record Unreadable() implements Copied {}
    }

    ObjectCopier(
            SourceStore source,
            SourceReads reads,
            Framer framer,
            Router router,
            BundleBuilder bundle,
            CopyMeter meter,
            BooleanSupplier stop) {
        this.source = source;
        this.reads = reads;
        this.framer = framer;
        this.bundle = bundle;
        this.collector = new RecordCollector(router, bundle);
        this.meter = meter;
        this.stop = stop;
    }

    /** Digest of the records of all objects done, taken where they were framed. */
    Digest records() {
        return records;
    }

    /** Items set aside of all objects done, whole objects included. */
    Map<Reason, Long> setAside() {
        return setAside;
    }

    /** @throws StoppedException when the run is to stop; nothing of the object is in the bundle then */
    Copied copy(TodoObject todo) throws IOException {
        ObjectInfo info = todo.info();
        try {
            for (int tries = 1; ; tries++) {
                try {
                    if (todo.before().isPresent() && isKnown(todo, info)) {
                        return new Copied.Known();
                    }
                    return read(info);
                } catch (ObjectChangedException e) {
                    if (tries == MAX_READS) {
                        throw new UnreadableObjectException(
                                UnreadableObjectException.Why.UNREADABLE,
                                "it changed while it was read, " + MAX_READS + " times",
                                e);
                    }
                    info = now(info.key());
                }
            }
        } catch (UnreadableObjectException e) {
            meter.unreadable(
                    info.key(), e.why().name().toLowerCase(java.util.Locale.ROOT), String.valueOf(e.getMessage()));
            return new Copied.Unreadable();
        }
    }

    /** Also where a listing was older than the page: another worker may have committed what became of the object since. */
    private boolean isKnown(TodoObject todo, ObjectInfo info) throws IOException {
        Fingerprint now = info.etag().isPresent()
                ? Fingerprint.of(info.key(), info.etag().get(), info.size())
                : CopiedObject.of(source.identify(info), todo.before()).fingerprint();
        return now.identity() == todo.before().getAsLong();
    }

    private ObjectInfo now(String key) throws IOException {
        return source.head(key)
                .orElseThrow(() -> new UnreadableObjectException(
                        UnreadableObjectException.Why.DELETED, "it was deleted after it was listed"));
    }

    private Copied read(ObjectInfo info) throws IOException {
        boolean done = false;
        try (ObjectRead read = reads.open(info)) {
            SourceRef ref = new SourceRef(info.key(), read.version());
            bundle.beginObject(ref);
            collector.beginObject();
            InputStream body = new MeteredBody(read.body(), meter::read, stop);
            Optional<Reason> whole = decode(info, body);
            ObjectIdentity identity = read.finish();
            done = true;
            return whole.isEmpty() ? count(identity) : setAsideWhole(whole.get(), ref, identity);
        } finally {
            if (!done) {
                bundle.dropObject();
            }
        }
    }

    /** @return why the object is to be set aside as a whole, if it is; the body was read to its end either way */
    private Optional<Reason> decode(ObjectInfo info, InputStream body) throws IOException {
        try (DecodedObject decoded = SourceDecoder.open(body)) {
            CountingStream content = new CountingStream(decoded.content());
            Framer.FramedBytes framed = framer.frame(content, collector);
            if (framed.total() != content.count()) {
                throw new IllegalStateException(
                        "%s: %d bytes read, but %s accounted for".formatted(info.key(), content.count(), framed));
            }
            collector.trailing(decoded.trailing(), new byte[TRAILING_BUFFER], content.count());
            return Optional.empty();
        } catch (WholeObjectException e) {
            body.transferTo(java.io.OutputStream.nullOutputStream());
            return Optional.of(e.reason());
        }
    }

    private Copied count(ObjectIdentity identity) {
        bundle.endObject(identity.etag(), identity.size());
        records = records.plus(collector.records());
        collector.setAsideCounts().forEach((reason, n) -> setAside.merge(reason, n, Long::sum));
        boolean empty =
                collector.records().count() == 0 && collector.setAsideCounts().isEmpty();
        return new Copied.Done(identity, empty);
    }

    private Copied setAsideWhole(Reason reason, SourceRef ref, ObjectIdentity identity) throws IOException {
        bundle.dropObject();
        bundle.setAsideWhole(reason, ref, identity.etag(), identity.size());
        setAside.merge(reason, 1L, Long::sum);
        return new Copied.Done(identity, false);
    }
}
