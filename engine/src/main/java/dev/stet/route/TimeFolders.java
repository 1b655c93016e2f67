package dev.stet.route;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The folders of a time, {@code year=2024/month=06/day=15}. Keeps those of the last time: records come in order of time more often than not.
 * Not thread-safe.
 */
final class TimeFolders {
    private static final long[] DIVISORS = {100_000_000, 1_000_000, 10_000, 100, 1};

    private final byte[][] prefixes;
    private final boolean padded;
    private final byte[] missing;
    private final byte[] bytes;
    private int length;
    private long timePartition = RouteResult.NO_TIME;

    TimeFolders(RoutingSettings settings) {
        var names = List.of("year", "month", "day", "hour", "minute").subList(0, count(settings.timeUnit()));
        var folders = names.stream()
                .map(name -> Encoded.text(settings.timePrefix() + name) + "=")
                .toList();
        prefixes =
                folders.stream().map(folder -> Encoded.folder(folder + "0000")).toArray(byte[][]::new);
        padded = settings.padded();
        missing = Encoded.ascii(missing(folders, settings.onMissing().time()));
        bytes = new byte[folders.size() * (PathBuffer.MAX_FOLDER + 1)];
    }

    private static int count(TimeUnit unit) {
        return switch (unit) {
            case YEAR -> 1;
            case MONTH -> 2;
            case DAY -> 3;
            case HOUR -> 4;
            case MINUTE -> 5;
        };
    }

    private static String missing(List<String> folders, Optional<String> name) {
        return name.map(Encoded::text).stream()
                .flatMap(value -> folders.stream().map(folder -> folder + value))
                .peek(Encoded::folder)
                .collect(Collectors.joining("/"));
    }

    /** More than the longest folders there are, with a slash before them. */
    int maxLength() {
        return bytes.length;
    }

    /** Folders of records without a time, if they have any. */
    byte[] missing() {
        return missing;
    }

    boolean hasMissing() {
        return missing.length > 0;
    }

    /** Makes {@link #bytes} the folders of a minute, decimal {@code yyyyMMddHHmm}. */
    void moveTo(long minute) {
        long divisor = DIVISORS[prefixes.length - 1];
        long partition = minute - minute % divisor;
        if (partition != timePartition) {
            timePartition = partition;
            write();
        }
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    long timePartition() {
        return timePartition;
    }

    private void write() {
        length = 0;
        for (int i = 0; i < prefixes.length; i++) {
            if (i > 0) {
                bytes[length++] = '/';
            }
            int size = prefixes[i].length - 4;
            System.arraycopy(prefixes[i], 0, bytes, length, size);
            length += size;
            long value = i == 0 ? timePartition / DIVISORS[0] : timePartition / DIVISORS[i] % 100;
            writeNumber((int) value, i == 0 ? 1000 : 10);
        }
    }

    private void writeNumber(int value, int leadingDivisor) {
        boolean started = padded;
        for (int divisor = leadingDivisor; divisor > 0; divisor /= 10) {
            int digit = value / divisor % 10;
            if (started || digit > 0 || divisor == 1) {
                bytes[length++] = (byte) ('0' + digit);
                started = true;
            }
        }
    }
}
