package dev.stet.codec;

import dev.stet.record.Reason;
import dev.stet.record.WholeObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens source objects: tells their compression by their leading bytes (rule book D15) and unwraps it, up to three layers deep (D18). Streams; holds
 * a window of 64 KiB a layer.
 */
public final class SourceDecoder {
    static final int MAX_LAYERS = 3;

    private SourceDecoder() {}

    /**
     * Opens one object.
     *
     * @param raw the bytes as they are stored; stays open, its owner closes it
     * @throws WholeObjectException if the object is damaged, or compressed in a way or more often than is read here
     * @throws IOException what {@code raw} throws, unchanged
     */
    public static DecodedObject open(InputStream raw) throws IOException {
        var layers = new ArrayList<Layer>();
        try {
            var source = new SourceBuffer(raw);
            for (var kind = Compression.detect(source); kind != Compression.NONE; kind = Compression.detect(source)) {
                if (kind == Compression.UNSUPPORTED || layers.size() == MAX_LAYERS) {
                    throw new WholeObjectException(Reason.UNSUPPORTED_COMPRESSION, detail(kind));
                }
                var layer = layer(kind, source);
                layers.add(layer);
                source = new SourceBuffer(layer);
            }
            return new DecodedObject(source, List.copyOf(layers));
        } catch (IOException | RuntimeException | Error e) {
            layers.forEach(Layer::close);
            throw e;
        }
    }

    private static String detail(Compression kind) {
        return kind == Compression.UNSUPPORTED
                ? "a compression that is not supported"
                : "compressed more than " + MAX_LAYERS + " times over";
    }

    private static Layer layer(Compression kind, SourceBuffer source) {
        return switch (kind) {
            case GZIP -> new GzipLayer(source);
            case ZSTD -> new ZstdLayer(source);
            case BZIP2 -> new Bzip2Layer(source);
            case NONE, UNSUPPORTED -> throw new IllegalArgumentException(kind.name());
        };
    }
}
