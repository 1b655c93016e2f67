package dev.stet.cli;

import dev.stet.aws.dynamodb.DynamoDbLedgers;
import dev.stet.aws.s3.S3Stores;
import dev.stet.aws.s3.StoreOptions;
import dev.stet.run.Ledgers;
import dev.stet.run.LocalEngine;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Entry point of the {@code stet} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        // File names are UTF-8 on both streams, whatever the locale says.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Errors errors = new Errors(err);
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> errors.report(e, false));
        Ledgers ledgers = new DynamoDbLedgers();
        Surroundings surroundings = new Surroundings(
                out,
                err,
                Path.of("").toAbsolutePath(),
                name -> Optional.ofNullable(System.getenv(name)),
                new Terminal(),
                () -> new LocalEngine(new S3Stores(StoreOptions.DEFAULT), ledgers),
                ledgers);
        System.exit(new Cli(surroundings).run(args));
    }
}
