package dev.stet.compact;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The frozen header of a compaction: which commits it takes and the settings of its output. With the (immutable) bundles it fixes the plan. Stored under
 * the name of its own checksum.
 *
 * @param pipelineId part of every landed object's name
 * @param maxObjectBytes see {@code LandingPolicy}
 * @param gzip whether slices staged as gzip members land as they are
 * @param commits by id
 */
public record Header(String pipelineId, long generation, long maxObjectBytes, boolean gzip, List<Taken> commits) {
    private static final String FORMAT = "stet-compaction 1";

    public Header {
        commits = List.copyOf(commits);
    }

    /** A commit whose slices are landed. @param bundleLength 0: it has no bundle */
    public record Taken(String commitId, String bundleKey, long bundleLength) {}

    /** What the names of all objects that this compaction lands begin with, and of no others. */
    String nameBeginning() {
        return "apply-%s-%06d-".formatted(pipelineId, generation);
    }

    public byte[] encode() {
        StringBuilder text = new StringBuilder(200 + commits.size() * 96);
        text.append(FORMAT).append('\n');
        text.append("pipeline ").append(pipelineId).append('\n');
        text.append("generation ").append(generation).append('\n');
        text.append("max_object_bytes ").append(maxObjectBytes).append('\n');
        text.append("gzip ").append(gzip).append('\n');
        for (Taken t : commits) {
            text.append("commit ")
                    .append(t.commitId())
                    .append(' ')
                    .append(t.bundleKey())
                    .append(' ');
            text.append(t.bundleLength()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Reads what {@link #encode} wrote. @throws IOException when the bytes are not what {@code checksum} names */
    public static Header decode(byte[] bytes, String checksum) throws IOException {
        if (!checksum(bytes).equals(checksum)) {
            throw new IOException("the header of a compaction is damaged: " + checksum);
        }
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
        if (!lines[0].equals(FORMAT)) {
            throw new IOException("the header of a compaction was written by another version of stet: " + lines[0]);
        }
        List<Taken> commits = new ArrayList<>();
        for (int i = 5; i < lines.length - 1; i++) {
            String[] words = lines[i].split(" ", -1);
            commits.add(new Taken(words[1], words[2], Long.parseLong(words[3])));
        }
        return new Header(
                word(lines[1]),
                Long.parseLong(word(lines[2])),
                Long.parseLong(word(lines[3])),
                Boolean.parseBoolean(word(lines[4])),
                commits);
    }

    private static String word(String line) {
        return line.substring(line.indexOf(' ') + 1);
    }

    public static String checksum(byte[] bytes) {
        HashValue128 hash = Hashing.xxh3_128().hashBytesTo128Bits(bytes);
        return "%016x%016x".formatted(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
    }
}
