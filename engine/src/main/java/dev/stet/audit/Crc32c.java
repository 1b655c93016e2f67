package dev.stet.audit;

import java.util.zip.CRC32C;

/** CRC32C of bytes, and of a concatenation from its parts' (design §6, "Checksum of an output"). */
public final class Crc32c {
    /** Castagnoli polynomial, bit-reversed. */
    private static final int POLYNOMIAL = 0x82F63B78;

    private Crc32c() {}

    public static int of(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    /**
     * The CRC32C of A followed by B. Appending {@code lengthOfB} zero bytes to A is a linear map over GF(2); it is applied by repeated squaring, so the
     * cost grows with the logarithm of the length.
     */
    public static int combine(int crcOfA, int crcOfB, long lengthOfB) {
        int shifted = crcOfA;
        int power = xToThe8();
        for (long n = lengthOfB; n != 0; n >>>= 1) {
            if ((n & 1) != 0) {
                shifted = multiply(power, shifted);
            }
            power = multiply(power, power);
        }
        return shifted ^ crcOfB;
    }

    /** The polynomial x^8: one zero byte. In the reflected form bit 31 is x^0. */
    private static int xToThe8() {
        return 1 << (31 - 8);
    }

    /** Product of two polynomials modulo the CRC's, both in reflected form. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shiftedB = b;
        for (int bit = 1 << 31; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shiftedB;
            }
            shiftedB = (shiftedB & 1) != 0 ? (shiftedB >>> 1) ^ POLYNOMIAL : shiftedB >>> 1;
        }
        return product;
    }
}
