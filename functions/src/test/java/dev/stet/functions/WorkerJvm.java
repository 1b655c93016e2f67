package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.api.client.AWSLambda;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stet.asl.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A handler in a JVM of its own, run by the runtime interface client that the service runs it by, over the Lambda Runtime API. Dies when it is killed; another one
 * takes its place.
 */
final class WorkerJvm implements AutoCloseable {
    private static final String NEXT = "/2018-06-01/runtime/invocation/next";
    private static final Duration LIMIT = Duration.ofMinutes(15);

    private record Invocation(String id, String payload, CompletableFuture<JsonNode> answer) {}

    private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
    private final HttpServer api;
    private final Process process;
    private final Path folder;
    private volatile Invocation current = new Invocation("", "", CompletableFuture.failedFuture(new Failure("", "")));

    private WorkerJvm(HttpServer api, Process process, Path folder) {
        this.api = api;
        this.process = process;
        this.folder = folder;
    }

    static WorkerJvm start(Class<?> handler, Map<String, String> environment) throws IOException {
        HttpServer api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        // Each its own, since each unpacks its native library there.
        Path folder = Files.createTempDirectory("stet-worker");
        ProcessBuilder builder = new ProcessBuilder(command(handler, folder))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        builder.environment().putAll(environment);
        builder.environment()
                .putAll(Map.of(
                        "AWS_LAMBDA_RUNTIME_API",
                        "127.0.0.1:" + api.getAddress().getPort(),
                        "_HANDLER",
                        handler.getName(),
                        "AWS_LAMBDA_FUNCTION_NAME",
                        handler.getSimpleName(),
                        "AWS_LAMBDA_FUNCTION_VERSION",
                        "1",
                        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
                        "512",
                        "AWS_LAMBDA_LOG_GROUP_NAME",
                        "log",
                        "AWS_LAMBDA_LOG_STREAM_NAME",
                        "log",
                        "LAMBDA_TASK_ROOT",
                        folder.toString()));
        WorkerJvm worker = new WorkerJvm(api, builder.start(), folder);
        api.createContext("/", worker::serve);
        api.start();
        var _ = worker.process.onExit().thenAccept(p -> worker.died(p.exitValue()));
        return worker;
    }

    private static List<String> command(Class<?> handler, Path folder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-XX:ErrorFile=" + folder.resolve("crash"),
                // By default each JVM unpacks it to the same place in /tmp, under the feet of those that run.
                "-Dcom.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI=" + library(folder),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AWSLambda.class.getName(),
                handler.getName()));
        return command;
    }

    private static Path library(Path folder) throws IOException {
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
        Path library = folder.resolve("runtime-client.so");
        try (InputStream in =
                AWSLambda.class.getResourceAsStream("/jni/libaws-lambda-jni.linux-" + architecture + ".so")) {
            Files.copy(java.util.Objects.requireNonNull(in), library);
        }
        return library;
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (path.equals(NEXT)) {
            next(exchange);
            return;
        }
        Invocation invocation = current;
        if (path.endsWith("/response")) {
            invocation.answer().complete(JsonMapper.shared().readTree(body));
        } else {
            JsonNode error = JsonMapper.shared().readTree(body);
            invocation
                    .answer()
                    .completeExceptionally(new Failure(
                            error.path("errorType").asString("Lambda.Unknown"),
                            error.path("errorMessage").asString("") + " (" + folder + ")"));
        }
        exchange.sendResponseHeaders(202, -1);
        exchange.close();
    }

    private void next(HttpExchange exchange) throws IOException {
        Invocation invocation;
        try {
            invocation = waiting.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        var headers = exchange.getResponseHeaders();
        headers.add("Lambda-Runtime-Aws-Request-Id", invocation.id());
        headers.add("Lambda-Runtime-Deadline-Ms", Long.toString(System.currentTimeMillis() + LIMIT.toMillis()));
        headers.add("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:local:000000000000:function:worker");
        headers.add("Content-Type", "application/json");
        byte[] payload = invocation.payload().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, payload.length);
        exchange.getResponseBody().write(payload);
        exchange.close();
    }

    private void died(int code) {
        current.answer().completeExceptionally(new Failure("Runtime.ExitError", "the process ended: " + code));
    }

    /** Hands an invocation over and waits for its end. One at a time. */
    JsonNode invoke(JsonNode payload) throws Failure, InterruptedException {
        Invocation invocation =
                new Invocation(UUID.randomUUID().toString(), payload.toString(), new CompletableFuture<>());
        current = invocation;
        if (!process.isAlive()) {
            died(process.exitValue());
        }
        waiting.add(invocation);
        try {
            return invocation.answer().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Failure f) {
                throw f;
            }
            throw new IllegalStateException(e);
        }
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Bytes of files it keeps. */
    long temporaryBytes() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        api.stop(0);
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(f -> f.toFile().delete());
        }
    }
}
