package dev.stet.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs in Python that tests use: installed once into the build directory, by versions and hashes. */
public final class PythonTool {
    private PythonTool() {}

    /**
     * Installs one unless it is there; its programs are in {@code venv/bin} then.
     *
     * @param requirements what pip takes with {@code --require-hashes}
     * @throws IOException saying why it cannot: no Python 3.10, no pip, no network
     */
    public static Path install(String name, byte[] requirements) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("stet.build", "target"))
                .toAbsolutePath()
                .resolve(name + "-" + digest(requirements));
        Files.createDirectories(home);
        Path list = home.resolve("requirements.txt");
        Path done = home.resolve("installed");
        // Two test runs of one build directory may come here at once.
        try (FileChannel channel =
                        FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            if (!Files.exists(done)) {
                Files.write(list, requirements);
                run(
                        home,
                        30,
                        "python3",
                        "-c",
                        "import sys; sys.exit(sys.version_info < (3, 10) and 'python3 is older than 3.10')");
                run(
                        home,
                        120,
                        "python3",
                        "-m",
                        "venv",
                        "--clear",
                        home.resolve("venv").toString());
                String pip = home.resolve("venv/bin/pip").toString();
                run(
                        home,
                        600,
                        pip,
                        "install",
                        "-q",
                        "--disable-pip-version-check",
                        "--require-hashes",
                        "-r",
                        list.toString());
                Files.createFile(done);
            }
        }
        return home;
    }

    private static void run(Path home, int seconds, String... command) throws IOException, InterruptedException {
        Path log = home.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " takes too long");
        }
        if (process.exitValue() != 0) {
            List<String> lines = Files.readAllLines(log, UTF_8);
            throw new IOException(String.join(" ", command) + ": " + (lines.isEmpty() ? "failed" : lines.getLast()));
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
