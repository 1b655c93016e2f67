package dev.stet.aws.s3;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;

/** CRC32C as S3 writes it: Base64 of the four bytes, most significant first. */
final class Crc {
    private Crc() {}

    static String encode(int crc) {
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(Integer.BYTES).putInt(crc).array());
    }

    /** Empty for anything else, such as the checksum of checksums, which ends in a dash and the number of parts. */
    static Optional<Integer> decode(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return bytes.length == Integer.BYTES
                    ? Optional.of(ByteBuffer.wrap(bytes).getInt())
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
