package dev.stet.stage;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes the JSON line of one set-aside item (design §7, "Quarantine"). */
public final class QuarantineLine {
    private QuarantineLine() {}

    /** A span with its bytes: {@code text} where they are UTF-8, for people to read and grep, else {@code base64}. */
    public static byte[] span(String reason, SourceRef source, long offset, byte[] buffer, int from, int to) {
        StringBuilder line = start(reason, source, offset, to - from, false);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(buffer, from, to - from))
                    .toString();
            line.append(",\"text\":");
            string(line, text);
        } catch (CharacterCodingException e) {
            line.append(",\"base64\":\"");
            line.append(Base64.getEncoder().encodeToString(java.util.Arrays.copyOfRange(buffer, from, to)));
            line.append('"');
        }
        return end(line);
    }

    /** A span whose bytes lie in {@code heldIn}, in the same folder, from byte {@code heldAt}. */
    public static byte[] held(Slice.Origin origin, long length, String heldIn, long heldAt) {
        StringBuilder line = start(origin.reason(), origin.source(), origin.offset(), length, false);
        line.append(",\"held_in\":");
        string(line, heldIn);
        line.append(",\"held_at\":").append(heldAt);
        return end(line);
    }

    /** A whole object, by reference. {@code size}: bytes as stored in the source. */
    public static byte[] wholeObject(String reason, SourceRef source, long size) {
        return end(start(reason, source, 0, size, true));
    }

    private static StringBuilder start(String reason, SourceRef source, long offset, long length, boolean whole) {
        StringBuilder line = new StringBuilder(160);
        line.append("{\"reason\":\"").append(reason).append("\",\"source\":");
        string(line, source.key());
        line.append(",\"version\":");
        source.version().ifPresentOrElse(v -> string(line, v), () -> line.append("null"));
        line.append(",\"offset\":").append(offset);
        line.append(",\"length\":").append(length);
        line.append(",\"whole_object\":").append(whole);
        return line;
    }

    private static byte[] end(StringBuilder line) {
        return line.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void string(StringBuilder out, String s) {
        JsonText.quote(out, s);
    }
}
