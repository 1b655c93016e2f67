package dev.stet.functions;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Stack traces as text, for logs. */
final class Traces {
    private static final int MAX_CHARACTERS = 20_000;

    private Traces() {}

    static String of(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        String all = text.toString();
        return all.substring(0, Math.min(all.length(), MAX_CHARACTERS));
    }
}
