package dev.stet.aws.s3;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.sync.RequestBody;

/** The bytes of one part until S3 has them, so that a request can be repeated. Grows with what is written; a large part lies in a temporary file. */
final class PartBuffer implements Closeable {
    private static final int SMALLEST = 1 << 14;
    private static final String CONTENT_TYPE = "application/octet-stream";

    private final PartSizes sizes;
    private byte[] memory = new byte[0];
    private Optional<FileChannel> file = Optional.empty();
    private CRC32C crc = new CRC32C();
    private long length;
    private long capacity;

    PartBuffer(PartSizes sizes) {
        this.sizes = sizes;
        this.capacity = sizes.of(1);
    }

    /** Empties the buffer for the part of that number. */
    void next(int number) {
        length = 0;
        crc = new CRC32C();
        capacity = sizes.of(number);
    }

    /** Takes what fits. @return how many bytes that were */
    int append(byte[] bytes, int from, int to) throws IOException {
        int n = (int) Math.min(to - from, capacity - length);
        if (capacity > sizes.largestInMemory()) {
            memory = new byte[0];
            FileChannel channel = channel();
            ByteBuffer source = ByteBuffer.wrap(bytes, from, n);
            for (long at = length; source.hasRemaining(); ) {
                at += channel.write(source, at);
            }
        } else {
            int needed = (int) length + n;
            if (needed > memory.length) {
                memory = Arrays.copyOf(memory, (int)
                        Math.min(capacity, Math.max(SMALLEST, Math.max(needed, 2L * needed))));
            }
            System.arraycopy(bytes, from, memory, (int) length, n);
        }
        crc.update(bytes, from, n);
        length += n;
        return n;
    }

    boolean full() {
        return length == capacity;
    }

    long length() {
        return length;
    }

    int crc32c() {
        return (int) crc.getValue();
    }

    /** The bytes as a body that can be sent more than once, without a copy. Valid until the next change. */
    RequestBody body() throws IOException {
        if (capacity > sizes.largestInMemory() && length > 0) {
            FileChannel channel = channel();
            return RequestBody.fromContentProvider(() -> new Section(channel, length), length, CONTENT_TYPE);
        }
        return RequestBody.fromContentProvider(
                () -> new ByteArrayInputStream(memory, 0, (int) length), length, CONTENT_TYPE);
    }

    private FileChannel channel() throws IOException {
        if (file.isEmpty()) {
            Path path = Files.createTempFile("stet-part-", ".tmp");
            file = Optional.of(FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
        }
        return file.get();
    }

    @Override
    public void close() throws IOException {
        memory = new byte[0];
        if (file.isPresent()) {
            file.get().close();
        }
    }

    /** The first bytes of a file, read by position: several can be open at once. */
    private static final class Section extends InputStream {
        private final FileChannel channel;
        private final long end;
        private long at;

        Section(FileChannel channel, long end) {
            this.channel = channel;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int size) throws IOException {
            if (at == end) {
                return -1;
            }
            int n = channel.read(ByteBuffer.wrap(bytes, offset, (int) Math.min(size, end - at)), at);
            at += Math.max(n, 0);
            return n;
        }
    }
}
