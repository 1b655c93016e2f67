package dev.stet.codec;

import java.util.Arrays;
import java.util.Optional;

/** How slices are packed. Each slice is one frame of its own, so frames can be run together and copied apart. */
public enum SliceCodec {
    NONE("none"),
    GZIP("gzip"),
    ZSTD("zstd");

    private final String wireName;

    SliceCodec(String wireName) {
        this.wireName = wireName;
    }

    /** The name in bundles, plans and settings. */
    public String wireName() {
        return wireName;
    }

    public static Optional<SliceCodec> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(codec -> codec.wireName.equals(name))
                .findFirst();
    }
}
