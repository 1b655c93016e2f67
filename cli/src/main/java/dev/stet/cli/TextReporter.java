package dev.stet.cli;

import dev.stet.run.RunResult;
import java.io.PrintStream;

/** Plain lines: notes and the end on standard output, objects that could not be read on standard error. */
final class TextReporter implements Reporter {
    private final PrintStream out;
    private final PrintStream err;
    private final Summary summary;

    TextReporter(PrintStream out, PrintStream err, Summary summary) {
        this.out = out;
        this.err = err;
        this.summary = summary;
    }

    @Override
    public void phase(String name) {
        // Of interest only to those who watch the progress line.
    }

    @Override
    public void unreadable(String source, String reason, String message) {
        err.println("stet: not read (" + reason + "): " + Errors.oneLine(source) + ": " + Errors.oneLine(message));
    }

    @Override
    public void replaced(String source) {
        out.println("replaced in the source, copied anew: " + Errors.oneLine(source));
    }

    @Override
    public void note(String text) {
        out.println("note: " + Errors.oneLine(text));
    }

    @Override
    public void finished(RunResult result) {
        out.print(summary.of(result));
        out.flush();
    }

    @Override
    public void close() {}
}
