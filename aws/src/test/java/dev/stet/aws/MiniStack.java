package dev.stet.aws;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * MiniStack, a local stand-in for AWS services, one process for all tests of this JVM. Installed once into the build directory, by versions and hashes of
 * {@code ministack-requirements.txt}; the tests that need it are skipped, saying why, where Python 3.10 or pip is missing.
 */
public final class MiniStack {
    private static final Object LOCK = new Object();
    private static Optional<MiniStack> running = Optional.empty();
    private static Optional<String> absent = Optional.empty();

    private final URI endpoint;

    private MiniStack(URI endpoint) {
        this.endpoint = endpoint;
    }

    /** Starts it when this is the first call. */
    public static MiniStack shared() {
        synchronized (LOCK) {
            if (running.isEmpty() && absent.isEmpty()) {
                try {
                    running = Optional.of(start(PythonTool.install("ministack", requirements())));
                } catch (IOException e) {
                    absent = Optional.of("MiniStack cannot be used, its tests are skipped: " + e.getMessage());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
            }
            absent.ifPresent(Assumptions::abort);
            return running.orElseThrow();
        }
    }

    /** For all services. Any keys are accepted, no signature is checked. */
    public URI endpoint() {
        return endpoint;
    }

    private static MiniStack start(Path home) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path work = Files.createDirectories(home.resolve("run-" + port));
        Path log = work.resolve("ministack.log");
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("venv/bin/ministack").toString())
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        builder.environment()
                .putAll(Map.of(
                        "BIND_HOST", "127.0.0.1",
                        "GATEWAY_PORT", Integer.toString(port),
                        "IOT_MTLS_ENABLED", "0",
                        "SFTP_ENABLED", "0",
                        "LAMBDA_EXECUTOR", "local",
                        "LOG_LEVEL", "WARNING",
                        // Where it leaves its pid file.
                        "TMPDIR", work.toString()));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!answers(port)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("it does not start, see " + log);
            }
            Thread.sleep(50);
        }
        return new MiniStack(URI.create("http://127.0.0.1:" + port));
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] requirements() throws IOException {
        try (InputStream in = MiniStack.class.getResourceAsStream("/ministack-requirements.txt")) {
            if (in == null) {
                throw new IOException("ministack-requirements.txt is not on the class path");
            }
            return in.readAllBytes();
        }
    }
}
