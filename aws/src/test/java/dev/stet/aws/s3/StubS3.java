package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stet.aws.LocalHttp;
import dev.stet.store.KeyOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * As much of S3 as the adapter speaks, in memory, with faults on order: what no local server does (throttling, lost answers, bodies that break off, expired
 * keys). It says nothing about what S3 does; the contract suites run on other people's servers.
 */
public final class StubS3 implements AutoCloseable {
    public enum Op {
        LIST,
        GET,
        HEAD,
        PUT,
        DELETE,
        CREATE,
        PART,
        COMPLETE,
        ABORT,
        LIST_UPLOADS,
        LIFECYCLE
    }

    /** What happens to one call instead of, or before, the answer. */
    @FunctionalInterface
    public interface Fault {
        /** Returns whether the call is done with. */
        boolean meets(Call call) throws IOException;
    }

    private record Upload(String key, NavigableMap<Integer, byte[]> parts) {}

    private final HttpServer server;
    private final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>(KeyOrder.UTF8);
    private final Map<String, Upload> uploads = new ConcurrentHashMap<>();
    private final AtomicInteger uploadIds = new AtomicInteger();
    private final Map<Op, Deque<Fault>> faults = new ConcurrentHashMap<>();
    private final Map<Op, Fault> always = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    private volatile boolean encodes = true;
    private volatile Optional<String> lifecycle = Optional.empty();

    public StubS3() {
        server = LocalHttp.create();
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public Map<String, byte[]> objects() {
        return objects;
    }

    int uploads() {
        return uploads.size();
    }

    /** Begins an upload as somebody else. */
    void startUpload(String key) {
        uploads.put("other-" + uploadIds.incrementAndGet(), new Upload(key, new ConcurrentSkipListMap<>()));
    }

    /** The next calls of this kind meet these faults, one each. */
    public void next(Op op, Fault... list) {
        faults.computeIfAbsent(op, _ -> new ArrayDeque<>()).addAll(List.of(list));
    }

    /** Every call of this kind meets the fault, after those of {@link #next}. */
    public void always(Op op, Fault fault) {
        always.put(op, fault);
    }

    void withoutEncoding() {
        encodes = false;
    }

    void lifecycle(String rules) {
        lifecycle = Optional.of("<LifecycleConfiguration>" + rules + "</LifecycleConfiguration>");
    }

    public List<Call> calls(Op op) {
        return calls.stream().filter(c -> c.op() == op).toList();
    }

    /** Begins to count anew. */
    void forget() {
        calls.clear();
    }

    public int count(Op op) {
        return calls(op).size();
    }

    public static Fault error(int status, String code, String message) {
        return call -> {
            call.error(status, code, message);
            return true;
        };
    }

    static Fault slowDown() {
        return error(503, "SlowDown", "Please reduce your request rate.");
    }

    /** The server does what it is told, and its answer is lost. */
    Fault appliedThenLost() {
        return call -> {
            Call mute =
                    new Call(call.op(), call.key(), call.query(), call.headers(), call.body(), call.exchange(), true);
            answer(mute);
            call.exchange().close();
            return true;
        };
    }

    /** The body ends after so many bytes, though more were promised. */
    Fault breaksOffAfter(int bytes) {
        return call -> {
            byte[] content = objects.get(call.key());
            int from = call.rangeStart();
            call.exchange().getResponseHeaders().set("ETag", etag(content));
            if (from > 0) {
                call.exchange().getResponseHeaders().set("Content-Range", "bytes " + from + "-");
            }
            call.exchange().sendResponseHeaders(from > 0 ? 206 : 200, content.length - from);
            OutputStream out = call.exchange().getResponseBody();
            out.write(content, from, bytes);
            out.flush();
            call.exchange().close();
            return true;
        };
    }

    static String etag(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return "\"" + Long.toHexString(crc.getValue()) + "\"";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getRawPath().split("/", 3);
            String key = path.length < 3 ? "" : URLDecoder.decode(path[2].replace("+", "%2B"), UTF_8);
            Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            Op op = op(exchange.getRequestMethod(), query);
            byte[] body = exchange.getRequestBody().readAllBytes();
            Call call = new Call(op, key, query, headers, body, exchange, false);
            calls.add(call);
            Fault fault;
            synchronized (faults) {
                Deque<Fault> list = faults.get(op);
                fault = list == null || list.isEmpty() ? always.getOrDefault(op, _ -> false) : list.pop();
            }
            if (!fault.meets(call)) {
                answer(call);
            }
        }
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], UTF_8));
        }
        return query;
    }

    private static Op op(String method, Map<String, String> query) {
        boolean upload = query.containsKey("uploadId");
        return switch (method) {
            case "HEAD" -> Op.HEAD;
            case "PUT" -> upload ? Op.PART : Op.PUT;
            case "POST" -> upload ? Op.COMPLETE : Op.CREATE;
            case "DELETE" -> upload ? Op.ABORT : Op.DELETE;
            default ->
                query.containsKey("list-type")
                        ? Op.LIST
                        : query.containsKey("uploads")
                                ? Op.LIST_UPLOADS
                                : query.containsKey("lifecycle") ? Op.LIFECYCLE : Op.GET;
        };
    }

    private void answer(Call call) throws IOException {
        switch (call.op()) {
            case LIST -> list(call);
            case GET, HEAD -> get(call);
            case PUT -> create(call, call.body(), "");
            case DELETE -> {
                objects.remove(call.key());
                call.send(204, Map.of(), new byte[0]);
            }
            case CREATE -> {
                String id = "u" + uploadIds.incrementAndGet();
                uploads.put(id, new Upload(call.key(), new ConcurrentSkipListMap<>()));
                call.send(
                        200,
                        Map.of("x-amz-checksum-type", "FULL_OBJECT"),
                        xml("<InitiateMultipartUploadResult><UploadId>" + id
                                + "</UploadId></InitiateMultipartUploadResult>"));
            }
            case PART -> {
                Upload upload = uploads.get(call.query().get("uploadId"));
                if (upload == null) {
                    call.error(404, "NoSuchUpload", "There is no such upload.");
                    return;
                }
                upload.parts().put(Integer.parseInt(call.query().get("partNumber")), call.body());
                call.send(200, Map.of("ETag", etag(call.body())), new byte[0]);
            }
            case COMPLETE -> complete(call);
            case ABORT -> {
                if (uploads.remove(call.query().get("uploadId")) == null) {
                    call.error(404, "NoSuchUpload", "There is no such upload.");
                } else {
                    call.send(204, Map.of(), new byte[0]);
                }
            }
            case LIST_UPLOADS -> {
                StringBuilder xml = new StringBuilder("<ListMultipartUploadsResult>");
                uploads.forEach((id, upload) -> {
                    if (upload.key().startsWith(call.query().getOrDefault("prefix", ""))) {
                        xml.append("<Upload><Key>")
                                .append(escape(upload.key()))
                                .append("</Key><UploadId>")
                                .append(id)
                                .append("</UploadId></Upload>");
                    }
                });
                call.send(
                        200,
                        Map.of(),
                        xml(xml.append("</ListMultipartUploadsResult>").toString()));
            }
            case LIFECYCLE -> {
                if (lifecycle.isPresent()) {
                    call.send(200, Map.of(), xml(lifecycle.get()));
                } else {
                    call.error(404, "NoSuchLifecycleConfiguration", "The lifecycle configuration does not exist");
                }
            }
        }
    }

    private void list(Call call) throws IOException {
        String prefix = call.query().getOrDefault("prefix", "");
        int max = Integer.parseInt(call.query().getOrDefault("max-keys", "1000"));
        StringBuilder xml = new StringBuilder("<ListBucketResult>");
        int n = 0;
        boolean more = false;
        for (var entry : objects.tailMap(call.query().getOrDefault("start-after", ""), false)
                .entrySet()) {
            if (!entry.getKey().startsWith(prefix)) {
                continue;
            }
            if (n++ == max) {
                more = true;
                break;
            }
            xml.append("<Contents><Key>")
                    .append(encodes ? encode(entry.getKey()) : escape(entry.getKey()))
                    .append("</Key><Size>")
                    .append(entry.getValue().length);
            xml.append("</Size><ETag>").append(escape(etag(entry.getValue()))).append("</ETag></Contents>");
        }
        xml.append("<IsTruncated>").append(more).append("</IsTruncated>");
        xml.append(encodes ? "<EncodingType>url</EncodingType>" : "");
        call.send(200, Map.of(), xml(xml.append("</ListBucketResult>").toString()));
    }

    private void get(Call call) throws IOException {
        byte[] content = objects.get(call.key());
        if (content == null) {
            call.error(404, "NoSuchKey", "The specified key does not exist.");
            return;
        }
        String match = call.headers().get("if-match");
        if (match != null && !match.equals(etag(content))) {
            call.error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(content);
        Map<String, String> headers = new HashMap<>(Map.of("ETag", etag(content)));
        if ("ENABLED".equals(call.headers().get("x-amz-checksum-mode"))) {
            headers.put("x-amz-checksum-crc32c", Crc.encode((int) crc.getValue()));
            headers.put("x-amz-checksum-type", "FULL_OBJECT");
        }
        String range = call.headers().get("range");
        if (range != null) {
            int from = call.rangeStart();
            String end = range.substring(range.indexOf('-') + 1);
            int to = end.isEmpty() ? content.length : Math.min(content.length, Integer.parseInt(end) + 1);
            headers.put("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + content.length);
            call.send(206, headers, Arrays.copyOfRange(content, from, to));
        } else {
            call.send(200, headers, content);
        }
    }

    private void complete(Call call) throws IOException {
        String id = call.query().get("uploadId");
        Upload upload = uploads.get(id);
        if (upload == null) {
            call.error(404, "NoSuchUpload", "There is no such upload.");
            return;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : upload.parts().values()) {
            all.write(part);
        }
        create(
                call,
                all.toByteArray(),
                "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>");
        if (objects.get(call.key()) != null && !upload.parts().isEmpty()) {
            uploads.remove(id);
        }
    }

    private void create(Call call, byte[] content, String answer) throws IOException {
        boolean onlyNew = "*".equals(call.headers().get("if-none-match"));
        boolean there = onlyNew && objects.putIfAbsent(call.key(), content) != null;
        if (!onlyNew) {
            objects.put(call.key(), content);
        }
        if (there) {
            call.error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
        } else {
            call.send(200, Map.of("ETag", etag(content)), answer.isEmpty() ? new byte[0] : xml(answer));
        }
    }

    private static byte[] xml(String text) {
        return ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text).getBytes(UTF_8);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String encode(String key) {
        return URLEncoder.encode(key, UTF_8).replace("%2F", "/");
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** One request as it came. */
    public static final class Call {
        private final Op op;
        private final String key;
        private final Map<String, String> query;
        private final Map<String, String> headers;
        private final byte[] body;
        private final HttpExchange exchange;
        private final boolean mute;

        Call(
                Op op,
                String key,
                Map<String, String> query,
                Map<String, String> headers,
                byte[] body,
                HttpExchange exchange,
                boolean mute) {
            this.op = op;
            this.key = key;
            this.query = query;
            this.headers = headers;
            this.body = body;
            this.exchange = exchange;
            this.mute = mute;
        }

        Op op() {
            return op;
        }

        public String key() {
            return key;
        }

        public Map<String, String> query() {
            return query;
        }

        public Map<String, String> headers() {
            return headers;
        }

        byte[] body() {
            return body;
        }

        HttpExchange exchange() {
            return exchange;
        }

        int rangeStart() {
            String range = headers.get("range");
            return range == null ? 0 : Integer.parseInt(range.substring("bytes=".length(), range.indexOf('-')));
        }

        void send(int status, Map<String, String> answer, byte[] content) throws IOException {
            if (mute) {
                return;
            }
            answer.forEach(exchange.getResponseHeaders()::set);
            if (op == Op.HEAD) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
            }
            boolean empty = op == Op.HEAD || content.length == 0;
            exchange.sendResponseHeaders(status, empty ? -1 : content.length);
            if (!empty) {
                exchange.getResponseBody().write(content);
            }
        }

        public void error(int status, String code, String message) throws IOException {
            send(status, Map.of(), xml("<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>"));
        }
    }

    /** Keys of the calls of this kind, for messages of failed assertions. */
    List<String> keys(Op op) {
        return new ArrayList<>(calls(op).stream().map(Call::key).toList());
    }
}
