package dev.stet.ledger;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** The entries of one page, sorted by key bits, one a key; packed as 16 bytes each, big endian: 8 + 2 of the key, 6 of the identity. Immutable. */
public final class PageEntries {
    public static final PageEntries EMPTY = new PageEntries(new byte[0]);
    public static final int ENTRY_BYTES = 16;

    private static final Comparator<Fingerprint> BY_KEY = (a, b) -> Fingerprint.compareKeys(a.keyHigh(), a.keyLow(), b);

    private final byte[] packed;

    private PageEntries(byte[] packed) {
        this.packed = packed;
    }

    /** Takes what {@link #packed()} gave. */
    public static PageEntries unpack(byte[] packed) {
        if (packed.length % ENTRY_BYTES != 0) {
            throw new IllegalArgumentException("a page of " + packed.length + " bytes is damaged");
        }
        return packed.length == 0 ? EMPTY : new PageEntries(packed.clone());
    }

    public byte[] packed() {
        return packed.clone();
    }

    public int size() {
        return packed.length / ENTRY_BYTES;
    }

    /** Whether this very version of the object is in. */
    public boolean holds(Fingerprint f) {
        OptionalLong identity = identityOf(f);
        return identity.isPresent() && identity.getAsLong() == f.identity();
    }

    /** The identity bits kept for the key of {@code f}, whatever its version. */
    public OptionalLong identityOf(Fingerprint f) {
        int lo = 0;
        int hi = size() - 1;
        while (lo <= hi) {
            int mid = (lo + hi) >>> 1;
            int c = Fingerprint.compareKeys(keyHigh(mid), keyLow(mid), f);
            if (c == 0) {
                return OptionalLong.of(identity(mid));
            }
            if (c < 0) {
                lo = mid + 1;
            } else {
                hi = mid - 1;
            }
        }
        return OptionalLong.empty();
    }

    /** These entries with {@code added} put in; an added one replaces that of the same key. */
    public PageEntries with(Collection<Fingerprint> added) {
        List<Fingerprint> sorted = new ArrayList<>(added);
        sorted.sort(BY_KEY);
        ByteBuffer out = ByteBuffer.allocate(packed.length + sorted.size() * ENTRY_BYTES);
        int old = 0;
        for (int i = 0; i < sorted.size(); i++) {
            Fingerprint f = sorted.get(i);
            if (i + 1 < sorted.size() && f.sameKey(sorted.get(i + 1))) {
                continue;
            }
            while (old < size() && Fingerprint.compareKeys(keyHigh(old), keyLow(old), f) < 0) {
                out.put(packed, old++ * ENTRY_BYTES, ENTRY_BYTES);
            }
            if (old < size() && Fingerprint.compareKeys(keyHigh(old), keyLow(old), f) == 0) {
                old++;
            }
            write(out, f);
        }
        out.put(packed, old * ENTRY_BYTES, packed.length - old * ENTRY_BYTES);
        return fromBuffer(out);
    }

    /** The entries that {@code keep} accepts. */
    public PageEntries filter(Predicate<Fingerprint> keep) {
        ByteBuffer out = ByteBuffer.allocate(packed.length);
        for (int i = 0; i < size(); i++) {
            Fingerprint f = get(i);
            if (keep.test(f)) {
                write(out, f);
            }
        }
        return fromBuffer(out);
    }

    public Fingerprint get(int i) {
        return new Fingerprint(keyHigh(i), keyLow(i), identity(i));
    }

    private static PageEntries fromBuffer(ByteBuffer out) {
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes.length == 0 ? EMPTY : new PageEntries(bytes);
    }

    private static void write(ByteBuffer out, Fingerprint f) {
        out.putLong(f.keyHigh()).putShort((short) f.keyLow());
        out.putShort((short) (f.identity() >>> 32)).putInt((int) f.identity());
    }

    private long keyHigh(int i) {
        return ByteBuffer.wrap(packed).getLong(i * ENTRY_BYTES);
    }

    private int keyLow(int i) {
        return ByteBuffer.wrap(packed).getShort(i * ENTRY_BYTES + 8) & 0xffff;
    }

    private long identity(int i) {
        return ByteBuffer.wrap(packed).getLong(i * ENTRY_BYTES + 8) & 0xffff_ffff_ffffL;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof PageEntries other && java.util.Arrays.equals(packed, other.packed);
    }

    @Override
    public int hashCode() {
        return java.util.Arrays.hashCode(packed);
    }

    @Override
    public String toString() {
        return size() + " entries";
    }
}
