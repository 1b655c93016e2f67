package dev.stet.plan;

import java.util.HexFormat;

/** Archives as they are found in the field, of any number of objects. */
final class Archives {
    private Archives() {}

    /** Ten years of Firehose, a folder an hour. */
    static InventedSource firehose(long objects) {
        double nanos = 10 * 365 * 86_400e9 / objects;
        return new InventedSource(objects, 100_000, i -> {
            long t = (long) (i * nanos);
            long second = t / 1_000_000_000;
            long day = second / 86_400;
            // Years of 365 days, of 12 months of 30 days and one of 5: plain numbers are quicker than a calendar.
            StringBuilder key = new StringBuilder(64);
            pad(key, 2015 + day / 365, 4).append('/');
            pad(key, 1 + day % 365 / 30, 2).append('/');
            pad(key, 1 + day % 365 % 30, 2).append('/');
            pad(key, second % 86_400 / 3_600, 2).append("/firehose-1-");
            pad(key, second % 86_400 / 3_600, 2).append('-');
            pad(key, second % 3_600 / 60, 2).append('-');
            pad(key, second % 60, 2).append('-');
            return pad(key, t % 1_000_000_000, 9).append("-a1b2c3d4").toString();
        });
    }

    private static StringBuilder pad(StringBuilder out, long n, int width) {
        String digits = Long.toString(n);
        return out.repeat('0', width - digits.length()).append(digits);
    }

    /** No folders, names that begin with a hash. */
    static InventedSource hashed(long objects) {
        return new InventedSource(objects, 100_000, i -> {
            long spread = 2 * (long) (((double) i / objects) * Long.MAX_VALUE);
            return HexFormat.of().toHexDigits(spread) + "-" + i % 10;
        });
    }

    /** Numbers in one folder. */
    static InventedSource numbered(long objects) {
        return new InventedSource(
                objects,
                100_000,
                i -> pad(new StringBuilder("export/part-"), i, 12)
                        .append(".json.gz")
                        .toString());
    }

    /** Tenants of very different sizes, days below: the first has half of all, the next half of the rest. */
    static InventedSource tenants(long objects) {
        return new InventedSource(objects, 100_000, i -> {
            int tenant = 0;
            long left = i;
            long has = objects / 2;
            while (has > 1_000 && left >= has) {
                left -= has;
                has /= 2;
                tenant++;
            }
            long days = 1_000;
            long day = left * days / Math.max(has, left + 1);
            StringBuilder key = pad(new StringBuilder("tenant-"), tenant, 3).append("/day=");
            return pad(pad(key, day, 4).append('/'), left, 10).toString();
        });
    }
}
