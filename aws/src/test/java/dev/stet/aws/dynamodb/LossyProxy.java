package dev.stet.aws.dynamodb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server and loses its first answer to each request of one action, after the server has applied it: the connection breaks. */
final class LossyProxy implements AutoCloseable {
    /** Headers that belong to one connection. */
    private static final Set<String> OWN =
            Set.of("connection", "host", "content-length", "expect", "transfer-encoding", "upgrade", "http2-settings");

    private final URI server;
    private final String action;
    private final HttpServer proxy;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lost = new AtomicInteger();

    LossyProxy(URI server, String action) throws IOException {
        this.server = server;
        this.action = action;
        this.proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.setExecutor(threads);
        proxy.createContext("/", this::forward);
        proxy.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
    }

    int lost() {
        return lost.get();
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    values.forEach(v -> request.header(name, v));
                }
            });
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
            // The SDK repeats a request under the same invocation id.
            if (target.endsWith(action) && seen.add(exchange.getRequestHeaders().getFirst("amz-sdk-invocation-id"))) {
                lost.incrementAndGet();
                throw new IOException("lost on the way");
            }
            answer.headers().map().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.close();
    }
}
