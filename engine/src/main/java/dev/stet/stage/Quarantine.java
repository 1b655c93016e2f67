package dev.stet.stage;

import dev.stet.record.Reason;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Where set-aside bytes lie below the sink. */
public final class Quarantine {
    public static final String FOLDER = "_quarantine";

    /** Spans longer than this lie in a {@code .raw} object beside the line that names them. Bytes. */
    public static final int MAX_INLINE = 64 << 10;

    private static final Map<Reason, byte[]> PATHS = paths();

    private Quarantine() {}

    /** Partition path of a reason, ASCII. Not to be written to. */
    public static byte[] path(Reason reason) {
        return Objects.requireNonNull(PATHS.get(reason));
    }

    public static boolean holds(String path) {
        return path.startsWith(FOLDER + "/");
    }

    private static Map<Reason, byte[]> paths() {
        Map<Reason, byte[]> paths = new EnumMap<>(Reason.class);
        for (Reason r : Reason.values()) {
            paths.put(r, (FOLDER + "/reason=" + r.wireName()).getBytes(StandardCharsets.US_ASCII));
        }
        return paths;
    }
}
