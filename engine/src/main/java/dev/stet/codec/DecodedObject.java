package dev.stet.codec;

import java.io.Closeable;
import java.io.InputStream;
import java.util.List;

/**
 * An object as it reads once its compression is off. Read {@link #content} to its end, then {@link #trailing} to its end: only then is it known
 * that the object is sound, and nothing of it may be committed before; and only then has the stored stream been read to its end. Both throw {@link dev.stet.record.WholeObjectException} where it is not, and
 * what the stored stream throws, unchanged. Not thread-safe.
 */
public final class DecodedObject implements Closeable {
    private final SourceBuffer content;
    private final List<Layer> layers;

    DecodedObject(SourceBuffer content, List<Layer> layers) {
        this.content = content;
        this.layers = layers;
    }

    /** Whether there was any compression; if not, {@link #trailing} is empty. */
    public boolean compressed() {
        return !layers.isEmpty();
    }

    /** The innermost bytes, all members and frames run together. Closing it does nothing. */
    public InputStream content() {
        return content;
    }

    /**
     * What comes after the last member of a layer (rule book D17), innermost layer first. Usually empty, possibly huge. Padding is left out.
     * Can only be read when {@link #content} has been, to its end.
     */
    public InputStream trailing() {
        return new TrailingBytes(layers.reversed());
    }

    /** Releases the decoders. The stored stream stays open. */
    @Override
    public void close() {
        layers.forEach(Layer::close);
    }
}
