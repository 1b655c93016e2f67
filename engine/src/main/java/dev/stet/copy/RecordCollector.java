package dev.stet.copy;

import dev.stet.audit.Digest;
import dev.stet.audit.DigestBuilder;
import dev.stet.record.FieldValues;
import dev.stet.record.Reason;
import dev.stet.record.RecordHandler;
import dev.stet.route.RouteResult;
import dev.stet.route.Router;
import dev.stet.stage.BundleBuilder;
import dev.stet.stage.SliceKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;

/** Routes the records of one object after another into a bundle, and keeps its own account of them, to be held against the bundle's. Not thread-safe. */
final class RecordCollector implements RecordHandler {
    private final Router router;
    private final DigestBuilder digest = new DigestBuilder();
    private final EnumMap<Reason, Long> setAside = new EnumMap<>(Reason.class);
    private final BundleBuilder bundle;

    RecordCollector(Router router, BundleBuilder bundle) {
        this.router = router;
        this.bundle = bundle;
    }

    void beginObject() {
        digest.reset();
        setAside.clear();
    }

    /** Records of the object at hand that were routed. */
    Digest records() {
        return digest.digest();
    }

    /** Items of the object at hand that were set aside. */
    Map<Reason, Long> setAsideCounts() {
        return setAside;
    }

    @Override
    public void record(byte[] buffer, int from, int to, long offset, boolean multiLine, FieldValues fields)
            throws IOException {
        RouteResult route = router.route(fields);
        if (route.routed()) {
            digest.add(buffer, from, to);
            bundle.add(
                    kind(multiLine),
                    route.timePartition(),
                    route.pathBytes(),
                    route.pathLength(),
                    buffer,
                    from,
                    to,
                    offset);
        } else {
            setAside(route.reason(), buffer, from, to, offset);
        }
    }

    @Override
    public void setAside(Reason reason, byte[] buffer, int from, int to, long offset) throws IOException {
        setAside.merge(reason, 1L, Long::sum);
        bundle.setAside(reason, buffer, from, to, offset);
    }

    @Override
    public void beginLong(long offset) throws IOException {
        bundle.beginLong(offset);
    }

    @Override
    public void continueLong(byte[] buffer, int from, int to) throws IOException {
        digest.addPiece(buffer, from, to);
        bundle.continueLong(buffer, from, to);
    }

    @Override
    public void endLongRecord(boolean multiLine, FieldValues fields) throws IOException {
        RouteResult route = router.route(fields);
        if (route.routed()) {
            digest.endPieces();
            bundle.endLong(kind(multiLine), route.timePartition(), route.pathBytes(), route.pathLength());
        } else {
            endLongSetAside(route.reason());
        }
    }

    @Override
    public void endLongSetAside(Reason reason) throws IOException {
        digest.dropPieces();
        setAside.merge(reason, 1L, Long::sum);
        bundle.endLongSetAside(reason);
    }

    /** What follows the compressed data of an object, to its end: one span of any length at {@code offset}. */
    void trailing(InputStream in, byte[] buffer, long offset) throws IOException {
        int n = in.readNBytes(buffer, 0, buffer.length);
        if (n == 0) {
            return;
        }
        if (n < buffer.length) {
            setAside(Reason.TRAILING_GARBAGE, buffer, 0, n, offset);
            return;
        }
        beginLong(offset);
        while (n > 0) {
            continueLong(buffer, 0, n);
            n = in.readNBytes(buffer, 0, buffer.length);
        }
        endLongSetAside(Reason.TRAILING_GARBAGE);
    }

    private static SliceKind kind(boolean multiLine) {
        return multiLine ? SliceKind.TEXTS : SliceKind.LINES;
    }
}
