package dev.stet.stage;

import dev.stet.record.Reason;
import java.nio.charset.StandardCharsets;

/** Where set-aside bytes lie below the sink. */
public final class Quarantine {
    public static final String FOLDER = "_quarantine";

    /** Spans longer than this lie in a {@code .raw} object beside the line that names them. Bytes. */
    public static final int MAX_INLINE = 64 << 10;

    private static final byte[][] PATHS = paths();

    private Quarantine() {}

    /** Partition path of a reason, ASCII. Not to be written to. */
    public static byte[] path(Reason reason) {
        return PATHS[reason.ordinal()];
    }

    public static boolean holds(String path) {
        return path.startsWith(FOLDER + "/");
    }

    private static byte[][] paths() {
        Reason[] reasons = Reason.values();
        byte[][] paths = new byte[reasons.length][];
        for (Reason r : reasons) {
            paths[r.ordinal()] = (FOLDER + "/reason=" + r.wireName()).getBytes(StandardCharsets.US_ASCII);
        }
        return paths;
    }
}
