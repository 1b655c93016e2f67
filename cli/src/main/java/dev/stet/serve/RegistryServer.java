package dev.stet.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.RegistryException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Serves the registry on 127.0.0.1, and nowhere else. */
public final class RegistryServer implements Closeable {
    /** More at once are told to come again: behind them stands one database file. */
    private static final int MAX_AT_ONCE = 256;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);
    private final RegistryApi api;
    private final Guard guard;

    private RegistryServer(HttpServer server, RegistryApi api, Guard guard) {
        this.server = server;
        this.api = api;
        this.guard = guard;
    }

    /** Starts to listen, on this machine alone. @param port 0: any that is free */
    public static RegistryServer start(int port, RegistryApi api, Guard guard) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        RegistryServer server = new RegistryServer(http, api, guard);
        http.createContext("/", server::handle);
        http.setExecutor(server.threads);
        http.start();
        return server;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            RegistryApi.Response response = answer(exchange);
            byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            response.headers().forEach(exchange.getResponseHeaders()::set);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(response.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private RegistryApi.Response answer(HttpExchange exchange) throws IOException {
        byte[] body;
        try (InputStream in = exchange.getRequestBody()) {
            body = in.readNBytes(RegistryApi.MAX_BODY_BYTES + 1);
        }
        if (!places.tryAcquire()) {
            return RegistryApi.refusal(
                    new RegistryException(ErrorCode.TooManyRequests, "too many calls at once; try again in a moment"));
        }
        try {
            String path = exchange.getRequestURI().getRawPath();
            RegistryApi.Request request =
                    new RegistryApi.Request(exchange.getRequestMethod(), path, ByteBuffer.wrap(body));
            return api.answer(request, () -> guard.caller(request, exchange));
        } finally {
            places.release();
        }
    }

    @Override
    public void close() {
        server.stop(1);
        threads.close();
    }
}
