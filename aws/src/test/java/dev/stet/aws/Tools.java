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

/** Programs that tests use, installed once into the build directory. */
final class Tools {
    private Tools() {}

    /** Puts a program into its folder. */
    interface Installer {
        void into(Path home) throws IOException, InterruptedException;
    }

    /** The folder of a program, installed unless it is there. @param versions what decides about its versions: another list is another folder */
    static Path install(String name, byte[] versions, Installer installer) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("stet.build", "target"))
                .toAbsolutePath()
                .resolve(name + "-" + digest(versions));
        Files.createDirectories(home);
        Path done = home.resolve("installed");
        // Two test runs of one build directory may come here at once.
        try (FileChannel channel =
                        FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            if (!Files.exists(done)) {
                installer.into(home);
                Files.createFile(done);
            }
        }
        return home;
    }

    /** Runs a command in a folder; its words go to {@code install.log} there. @throws IOException with the last of them, when it fails */
    static void run(Path home, int seconds, String... command) throws IOException, InterruptedException {
        Path log = home.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
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
