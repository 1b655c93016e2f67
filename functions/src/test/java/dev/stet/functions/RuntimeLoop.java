package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/** A process that serves one handler over the Lambda Runtime API, in plain Java: where the runtime interface client cannot be used. */
final class RuntimeLoop {
    private RuntimeLoop() {}

    public static void main(String[] args) throws Exception {
        RequestStreamHandler handler = Class.forName(args[0])
                .asSubclass(RequestStreamHandler.class)
                .getDeclaredConstructor()
                .newInstance();
        String api = "http://" + System.getenv("AWS_LAMBDA_RUNTIME_API") + "/2018-06-01/runtime/invocation/";
        HttpClient http = HttpClient.newHttpClient();
        while (true) {
            HttpResponse<InputStream> next =
                    http.send(HttpRequest.newBuilder(URI.create(api + "next")).build(), BodyHandlers.ofInputStream());
            String id =
                    next.headers().firstValue("Lambda-Runtime-Aws-Request-Id").orElseThrow();
            String path = "/response";
            byte[] answer;
            try (InputStream in = next.body()) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                handler.handleRequest(in, out, new FakeContext(args[0], id, Duration.ofMinutes(15)));
                answer = out.toByteArray();
            } catch (Exception e) {
                path = "/error";
                answer = JsonMapper.shared()
                        .createObjectNode()
                        .put("errorMessage", String.valueOf(e.getMessage()))
                        .put("errorType", e.getClass().getName())
                        .toString()
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            }
            var _ = http.send(
                    HttpRequest.newBuilder(URI.create(api + id + path))
                            .POST(BodyPublishers.ofByteArray(answer))
                            .build(),
                    BodyHandlers.discarding());
        }
    }
}
