package dev.stet.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Stands before a server and does to requests and answers what networks and services do now and then. Knows requests to S3 by what they do, those to DynamoDB by
 * their action. Requests with signatures that are checked do not survive it: the host is another one.
 */
public final class FaultProxy implements AutoCloseable {
    /** Headers that belong to one connection. */
    private static final Set<String> OWN = Set.of(
            "connection", "host", "content-length", "expect", "transfer-encoding", "upgrade", "http2-settings", "date");

    /** What becomes of a request. */
    @FunctionalInterface
    public interface Fault {
        void meets(Hop hop) throws IOException;
    }

    /** What the server said. Never compared. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Answer(int status, Map<String, List<String>> headers, byte[] body) {}

    private final URI server;
    private final HttpServer proxy;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ConcurrentLinkedQueue<Hop> hops = new ConcurrentLinkedQueue<>();
    private volatile Fault fault = Hop::pass;

    public FaultProxy(URI server) {
        this.server = server;
        this.proxy = LocalHttp.create();
        proxy.setExecutor(threads);
        proxy.createContext("/", this::handle);
        proxy.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
    }

    /** From now on every request meets this. */
    public void meets(Fault next) {
        fault = next;
    }

    /** Requests so far that the test holds for. */
    public long count(Predicate<Hop> test) {
        return hops.stream().filter(test).count();
    }

    public List<Hop> hops() {
        return List.copyOf(hops);
    }

    public void forget() {
        hops.clear();
    }

    /** An answer as S3 words it. */
    public static Fault error(int status, String code, String message) {
        String xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + code + "</Code><Message>" + message
                + "</Message></Error>";
        return hop ->
                hop.relay(new Answer(status, Map.of("Content-Type", List.of("application/xml")), xml.getBytes(UTF_8)));
    }

    public static Fault slowDown() {
        return error(503, "SlowDown", "Please reduce your request rate.");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Hop hop = new Hop(exchange, exchange.getRequestBody().readAllBytes());
            hops.add(hop);
            fault.meets(hop);
        }
    }

    @Override
    public void close() {
        proxy.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }

    /** One request on its way. */
    public final class Hop {
        private final HttpExchange exchange;
        private final byte[] body;
        private final Map<String, String> query = new HashMap<>();
        private final String bucket;
        private final String key;

        private Hop(HttpExchange exchange, byte[] body) {
            this.exchange = exchange;
            this.body = body;
            String[] path = exchange.getRequestURI().getRawPath().split("/", 3);
            this.bucket = path.length < 2 ? "" : path[1];
            this.key = path.length < 3 ? "" : decode(path[2].replace("+", "%2B"));
            String raw = exchange.getRequestURI().getRawQuery();
            for (String pair : raw == null ? new String[0] : raw.split("&")) {
                String[] parts = pair.split("=", 2);
                query.put(parts[0], parts.length < 2 ? "" : decode(parts[1]));
            }
        }

        private static String decode(String text) {
            return URLDecoder.decode(text, UTF_8);
        }

        /**
         * For DynamoDB the action, as {@code TransactWriteItems}; for S3 one of {@code LIST, GET, HEAD, PUT, DELETE, CREATE, PART, COMPLETE, ABORT,
         * LIST_UPLOADS, BUCKET}.
         */
        public String action() {
            String target = header("x-amz-target");
            if (!target.isEmpty()) {
                return target.substring(target.lastIndexOf('.') + 1);
            }
            boolean upload = query.containsKey("uploadId");
            return switch (exchange.getRequestMethod()) {
                case "HEAD" -> "HEAD";
                case "PUT" -> key.isEmpty() ? "BUCKET" : upload ? "PART" : "PUT";
                case "POST" -> upload ? "COMPLETE" : "CREATE";
                case "DELETE" -> upload ? "ABORT" : "DELETE";
                default ->
                    query.containsKey("list-type")
                            ? "LIST"
                            : query.containsKey("uploads") ? "LIST_UPLOADS" : key.isEmpty() ? "BUCKET" : "GET";
            };
        }

        public boolean is(String action) {
            return action().equals(action);
        }

        public String bucket() {
            return bucket;
        }

        public String key() {
            return key;
        }

        public String query(String name) {
            return query.getOrDefault(name, "");
        }

        /** Empty where there is none. */
        public String header(String name) {
            String value = exchange.getRequestHeaders().getFirst(name);
            return value == null ? "" : value;
        }

        /** Sends the request on, and the answer back. */
        public void pass() throws IOException {
            relay(fetch());
        }

        /** Sends the request on; its answer is here. */
        public Answer fetch() throws IOException {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(server + exchange.getRequestURI().toString()))
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    values.forEach(v -> request.header(name, v));
                }
            });
            try {
                HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                return new Answer(answer.statusCode(), answer.headers().map(), answer.body());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the proxy was closed", e);
            }
        }

        public void relay(Answer answer) throws IOException {
            OutputStream out = begin(answer);
            if (sent(answer) > 0) {
                out.write(answer.body(), 0, sent(answer));
            }
        }

        /** The body ends early, though more was promised. */
        public void relayShort(Answer answer, int bytes) throws IOException {
            OutputStream out = begin(answer);
            out.write(answer.body(), 0, Math.min(bytes, sent(answer)));
            out.flush();
            // The exchange is closed with bytes owing, and so is the connection.
        }

        /** The body comes in pieces, with a pause before each. */
        public void relaySlowly(Answer answer, int pieces, long pauseMillis) throws IOException {
            OutputStream out = begin(answer);
            int size = sent(answer);
            for (int i = 0; i < pieces && size > 0; i++) {
                try {
                    Thread.sleep(pauseMillis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("the proxy was closed", e);
                }
                int from = (int) ((long) size * i / pieces);
                out.write(answer.body(), from, (int) ((long) size * (i + 1) / pieces) - from);
                out.flush();
            }
        }

        /** Nobody hears an answer: the connection ends. */
        public void cut() {
            exchange.close();
        }

        private int sent(Answer answer) {
            return exchange.getRequestMethod().equals("HEAD") ? 0 : answer.body().length;
        }

        private OutputStream begin(Answer answer) throws IOException {
            answer.headers().forEach((name, values) -> {
                boolean length = name.equalsIgnoreCase("content-length")
                        && exchange.getRequestMethod().equals("HEAD");
                if (length || !OWN.contains(name.toLowerCase(Locale.ROOT))) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.status(), sent(answer) == 0 ? -1 : sent(answer));
            return exchange.getResponseBody();
        }

        @Override
        public String toString() {
            return action() + " " + bucket + "/" + key;
        }
    }
}
