package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Stands before a server with a clock of its own, and refuses requests of another time. Answers of the server behind come through as they are. By hand, since the
 * JDK's server always sends the true date.
 */
final class SkewedServer implements AutoCloseable {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX", Locale.ROOT);

    private final ServerSocket socket;
    private final Duration skew;
    private final URI behind;
    private final AtomicInteger refused = new AtomicInteger();

    SkewedServer(Duration skew, URI behind) {
        this.skew = skew;
        this.behind = behind;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::serve);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    int refused() {
        return refused.get();
    }

    private void serve() {
        while (true) {
            try {
                Socket connection = socket.accept();
                var _ = Thread.ofVirtual().start(() -> answer(connection));
            } catch (SocketException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void answer(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            List<String> head = head(in);
            byte[] body = in.readNBytes(
                    Integer.parseInt(header(head, "content-length").orElse("0")));
            Instant now = Instant.now().plus(skew);
            Instant sent = Instant.from(STAMP.parse(header(head, "x-amz-date").orElseThrow()));
            if (Duration.between(sent, now).abs().toMinutes() >= 15) {
                refused.incrementAndGet();
                refuse(connection.getOutputStream(), now);
            } else {
                relay(head, body, connection.getOutputStream());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refuse(OutputStream out, Instant now) throws IOException {
        String body = "<Error><Code>RequestTimeTooSkewed</Code><Message>The difference is too large.</Message></Error>";
        out.write(("HTTP/1.1 403 Forbidden\r\nDate: "
                        + DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC))
                        + "\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(ISO_8859_1));
    }

    private void relay(List<String> head, byte[] body, OutputStream out) throws IOException {
        try (Socket server = new Socket(behind.getHost(), behind.getPort())) {
            String lines = head.stream()
                    .filter(l -> !l.toLowerCase(Locale.ROOT).startsWith("connection:"))
                    .collect(Collectors.joining("\r\n"));
            server.getOutputStream().write((lines + "\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1));
            server.getOutputStream().write(body);
            server.getInputStream().transferTo(out);
        }
    }

    private static List<String> head(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                if (line.isEmpty()) {
                    break;
                }
                lines.add(line.toString());
                line.setLength(0);
            } else if (b != '\r') {
                line.append((char) b);
            }
        }
        return lines;
    }

    private static Optional<String> header(List<String> head, String name) {
        return head.stream()
                .filter(l -> l.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(l -> l.substring(name.length() + 1).strip())
                .findFirst();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
