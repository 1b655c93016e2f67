package dev.stet.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the {@code stet} command. */
@Command(
        name = "stet",
        description = "Copies records between S3 layouts and leaves every byte alone.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Main implements Runnable {

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
