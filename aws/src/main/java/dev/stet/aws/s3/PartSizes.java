package dev.stet.aws.s3;

/**
 * How large the parts of a multipart upload are. The size of an object is not known when its upload begins, S3 takes 10,000 parts of one, and a part must
 * be held until it is acknowledged. So parts double in size after every {@code step} of them while they are held in memory, and are large ones held in a
 * temporary file from then on: 117 GiB with at most 64 MiB of memory a writer, 5 TB with a file of 1 GiB.
 *
 * @param first size of the first parts; an object that is not larger is one PUT
 * @param largestInMemory parts above are held in a file
 * @param inFile size of the parts after those in memory
 */
public record PartSizes(long first, int step, long largestInMemory, long inFile) {
    public static final int MAX_PARTS = 10_000;
    private static final long MIB = 1 << 20;
    public static final PartSizes DEFAULT = new PartSizes(8 * MIB, 1_000, 64 * MIB, 1_024 * MIB);

    /** Size of a part. @param number counted from 1 */
    public long of(int number) {
        int doublings = (number - 1) / step;
        if (doublings < Long.numberOfLeadingZeros(first) - 1) {
            long size = first << doublings;
            if (size <= largestInMemory) {
                return size;
            }
        }
        return inFile;
    }
}
