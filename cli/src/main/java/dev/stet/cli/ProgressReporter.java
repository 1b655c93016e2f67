package dev.stet.cli;

import dev.stet.run.RunResult;

/** As text, with the live line below it. */
final class ProgressReporter implements Reporter {
    private final ProgressLine line;
    private final Reporter text;

    ProgressReporter(ProgressLine line, Reporter text) {
        this.line = line;
        this.text = text;
    }

    @Override
    public void phase(String name) {
        line.phase(name);
    }

    @Override
    public void unreadable(String source, String reason, String message) {
        line.aside(() -> text.unreadable(source, reason, message));
    }

    @Override
    public void replaced(String source) {
        line.aside(() -> text.replaced(source));
    }

    @Override
    public void note(String note) {
        line.aside(() -> text.note(note));
    }

    @Override
    public void finished(RunResult result) {
        line.close();
        text.finished(result);
    }

    @Override
    public void close() {
        line.close();
    }
}
