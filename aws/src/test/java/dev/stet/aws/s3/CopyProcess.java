package dev.stet.aws.s3;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A copy from S3 to S3 in a JVM of its own, which can be killed. */
final class CopyProcess {
    /** So small that a megabyte is an upload of several parts. */
    static final StoreOptions SMALL_PARTS =
            StoreOptions.DEFAULT.withParts(new PartSizes(128 << 10, 1_000, 128 << 10, 128 << 10));

    private CopyProcess() {}

    static Process start(URI server, String from, String to, Path state, File log) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CopyProcess.class.getName(),
                        server.toString(),
                        from,
                        to,
                        state.toString())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }

    /** Endpoint, source bucket, sink bucket, state. */
    public static void main(String[] args) {
        URI endpoint = URI.create(args[0]);
        Run run = Run.copy(
                S3Server.location(endpoint, args[1], ""),
                S3Server.location(endpoint, args[2], "landing"),
                Path.of(args[3]),
                () -> new S3Server(endpoint, "test", "test").stores(SMALL_PARTS));
        System.exit(run.exit());
    }
}
