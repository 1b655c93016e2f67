package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stet.aws.LocalHttp;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An object of 6 GB is read, over a break, and written again by a JVM with a heap of 96 MB. The server invents the bytes and digests what it receives; it keeps
 * none.
 */
class S3BigObjectTest {
    private static final long SIZE = 6_000_000_000L;
    private static final int BLOCK = 1 << 20;
    private static final byte[] BYTES = new byte[BLOCK];

    private final AtomicLong received = new AtomicLong();
    private final AtomicInteger gets = new AtomicInteger();
    private final CRC32C digest = new CRC32C();

    @Test
    void sixGigabytesInASmallHeap(@TempDir Path folder) throws Exception {
        new Random(1).nextBytes(BYTES);
        HttpServer server = LocalHttp.create();
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        Path log = folder.resolve("log");
        try {
            Process child = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-Xmx96m",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            S3BigObjectCopy.class.getName(),
                            "http://127.0.0.1:" + server.getAddress().getPort(),
                            Long.toString(SIZE))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = child.waitFor(10, TimeUnit.MINUTES);
            child.destroyForcibly();
            assertThat(ended).isTrue();
            assertThat(child.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            server.stop(0);
        }
        assertThat(received).hasValue(SIZE);
        assertThat(gets).hasValue(2);
        assertThat(digest.getValue()).isEqualTo(expected());
    }

    private static long expected() {
        CRC32C crc = new CRC32C();
        for (long at = 0; at < SIZE; at += BLOCK) {
            crc.update(BYTES, 0, (int) Math.min(BLOCK, SIZE - at));
        }
        return crc.getValue();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = exchange.getRequestURI().getQuery();
            switch (exchange.getRequestMethod()) {
                case "GET" -> send(exchange);
                case "PUT" -> {
                    receive(exchange.getRequestBody());
                    exchange.getResponseHeaders().set("ETag", "\"part\"");
                    exchange.sendResponseHeaders(200, -1);
                }
                default -> {
                    byte[] sent = exchange.getRequestBody().readAllBytes();
                    assertThat(sent.length).isNotNegative();
                    String answer = query.contains("uploadId")
                            ? "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>"
                            : "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
                    exchange.getResponseHeaders().set("x-amz-checksum-type", "FULL_OBJECT");
                    exchange.sendResponseHeaders(200, answer.length());
                    exchange.getResponseBody().write(answer.getBytes(US_ASCII));
                }
            }
        }
    }

    /** The first body breaks off beyond 4 GiB. */
    private void send(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        long from = range == null ? 0 : Long.parseLong(range.substring("bytes=".length(), range.indexOf('-')));
        long to = gets.incrementAndGet() == 1 ? 5_000_000_000L : SIZE;
        exchange.getResponseHeaders().set("ETag", "\"big\"");
        if (from > 0) {
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (SIZE - 1) + "/" + SIZE);
        }
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, SIZE - from);
        OutputStream out = exchange.getResponseBody();
        for (long at = from; at < to; ) {
            int start = (int) (at % BLOCK);
            int n = (int) Math.min(BLOCK - start, to - at);
            out.write(BYTES, start, n);
            at += n;
        }
    }

    /** Parts come one after the other. */
    private synchronized void receive(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
            received.addAndGet(n);
        }
    }
}
