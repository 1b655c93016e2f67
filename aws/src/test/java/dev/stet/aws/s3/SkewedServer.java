package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with an empty bucket and a clock of its own, which refuses requests of another time. The JDK's server always sends the true date. */
final class SkewedServer implements AutoCloseable {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX", Locale.ROOT);

    private final ServerSocket socket;
    private final Duration skew;
    private final AtomicInteger refused = new AtomicInteger();

    SkewedServer(Duration skew) {
        this.skew = skew;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::serve);
    }

    String endpoint() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    int refused() {
        return refused.get();
    }

    private void serve() {
        while (true) {
            try (Socket connection = socket.accept()) {
                answer(connection);
            } catch (SocketException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void answer(Socket connection) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
        Instant now = Instant.now().plus(skew);
        Instant sent = Instant.EPOCH;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("x-amz-date:")) {
                sent = Instant.from(
                        STAMP.parse(line.substring("x-amz-date:".length()).strip()));
            }
        }
        boolean wrong = Duration.between(sent, now).abs().toMinutes() >= 15;
        if (wrong) {
            refused.incrementAndGet();
        }
        String body = wrong
                ? "<Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message></Error>"
                : "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        connection
                .getOutputStream()
                .write(("HTTP/1.1 " + (wrong ? "403 Forbidden" : "200 OK") + "\r\nDate: "
                                + DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC))
                                + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                        .getBytes(UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
