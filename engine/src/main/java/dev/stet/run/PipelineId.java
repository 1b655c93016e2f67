package dev.stet.run;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.stet.config.PipelineConfig;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The id of a pipeline: of source and sink for {@code copy}, of workspace, name and sink for {@code sync} (design §6). 16 hex digits. */
public final class PipelineId {
    private PipelineId() {}

    public static String of(PipelineConfig p) {
        String text = p.name().isPresent()
                ? String.join("\0", "sync", p.workspace().orElse(""), p.name().get(), Places.name(p.sink()))
                : String.join("\0", "copy", Places.name(p.source()), Places.name(p.sink()));
        long hash = Hashing.xxh3_64().hashBytesToLong(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(hash);
    }
}
