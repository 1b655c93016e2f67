package dev.stet.compact;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A landing task as a line of a plan: neighbouring outputs of one time partition, told by the parts of the indexes that they come from. Walking just these parts gives
 * the outputs again. Its form is one JSON object, {@code {"generation":3,"header":"headers/…","skip":0,"outputs":256,"bytes":…,"check":"…","ranges":[commit,run,offset,
 * length,…]}}.
 *
 * @param skip outputs that the walk gives before the first of the task
 * @param outputs how many are landed
 * @param bytes that land
 * @param check of the outputs' keys, lengths and checksums: who walks the parts must come to the same
 */
record PlanLine(
        long generation, String headerKey, int skip, int outputs, long bytes, long check, List<IndexRange> ranges) {
    PlanLine {
        ranges = List.copyOf(ranges);
    }

    static PlanLine of(long generation, String headerKey, LandingTask task, List<IndexRange> ranges) {
        List<Output> outputs = task.outputs();
        return new PlanLine(
                generation,
                headerKey,
                outputs.getFirst().ordinal(),
                outputs.size(),
                outputs.stream().mapToLong(Output::length).sum(),
                check(outputs),
                ranges);
    }

    static long check(List<Output> outputs) {
        HashStream64 hash = Hashing.xxh3_64().hashStream();
        for (Output o : outputs) {
            hash.putString(o.key()).putLong(o.length()).putInt(o.crc32c());
        }
        return hash.getAsLong();
    }

    String toLine() {
        StringBuilder line = new StringBuilder(200 + ranges.size() * 24);
        line.append("{\"generation\":").append(generation);
        line.append(",\"header\":\"").append(headerKey);
        line.append("\",\"skip\":").append(skip);
        line.append(",\"outputs\":").append(outputs);
        line.append(",\"bytes\":").append(bytes);
        line.append(",\"check\":\"").append(HexFormat.of().toHexDigits(check));
        line.append("\",\"ranges\":[");
        for (IndexRange r : ranges) {
            line.append(r.commit()).append(',').append(r.run()).append(',');
            line.append(r.offset()).append(',').append(r.length()).append(',');
        }
        if (!ranges.isEmpty()) {
            line.setLength(line.length() - 1);
        }
        return line.append("]}").toString();
    }

    /**
     * Reads what {@link #toLine} made.
     *
     * @throws IllegalArgumentException when it is something else; the message is for the user
     */
    static PlanLine ofLine(String line) {
        try {
            JsonNode node = JsonMapper.shared().readTree(line);
            JsonNode numbers = node.path("ranges");
            if (!node.path("header").isString() || !numbers.isArray() || numbers.size() % 4 != 0) {
                throw new IllegalArgumentException("not a line of a compaction's plan: " + start(line));
            }
            List<IndexRange> ranges = new ArrayList<>(numbers.size() / 4);
            for (int i = 0; i < numbers.size(); i += 4) {
                ranges.add(new IndexRange(
                        numbers.get(i).intValue(),
                        numbers.get(i + 1).intValue(),
                        numbers.get(i + 2).longValue(),
                        numbers.get(i + 3).longValue()));
            }
            return new PlanLine(
                    node.path("generation").longValue(),
                    node.path("header").stringValue(),
                    node.path("skip").intValue(),
                    node.path("outputs").intValue(),
                    node.path("bytes").longValue(),
                    HexFormat.fromHexDigitsToLong(node.path("check").stringValue()),
                    ranges);
        } catch (JacksonException | NumberFormatException e) {
            throw new IllegalArgumentException("not a line of a compaction's plan: " + start(line), e);
        }
    }

    private static String start(String line) {
        return line.substring(0, Math.min(line.length(), 200));
    }
}
