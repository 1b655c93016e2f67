package dev.stet.cli;

import dev.stet.run.RunCounters;
import dev.stet.run.RunResult;
import java.io.PrintStream;
import java.util.TreeMap;

/** Events as they come, then the summary: one JSON object a line. */
final class JsonReporter implements Reporter {
    private final PrintStream out;

    JsonReporter(PrintStream out) {
        this.out = out;
    }

    @Override
    public void phase(String name) {
        event(new Json().put("event", "phase").put("phase", name));
    }

    @Override
    public void unreadable(String source, String reason, String message) {
        event(new Json()
                .put("event", "unreadable")
                .put("source", source)
                .put("reason", reason)
                .put("message", message));
    }

    @Override
    public void replaced(String source) {
        event(new Json().put("event", "replaced").put("source", source));
    }

    @Override
    public void note(String text) {
        event(new Json().put("event", "note").put("message", text));
    }

    @Override
    public void finished(RunResult result) {
        RunCounters c = result.counters();
        event(new Json()
                .put("event", "summary")
                .put("objects_copied", c.objectsCopied())
                .put("objects_skipped", c.objectsSkipped())
                .put("objects_unreadable", c.objectsUnreadable())
                .put("records_copied", c.recordsCopied())
                .put("records_quarantined", new TreeMap<>(c.recordsQuarantined()))
                .put("landed_objects", c.landedObjects())
                .put("bytes_copied", c.bytesCopied())
                .put("bytes_read", c.bytesRead())
                .put("digest", c.digest().toString())
                .put("elapsed_ms", result.elapsedMillis())
                .put("stopped", result.stopped()));
    }

    @Override
    public void close() {}

    /** One call, so that lines of several threads do not mix. */
    private void event(Json json) {
        out.println(json.toString());
    }
}
