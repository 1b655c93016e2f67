package dev.stet.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps what it is told. */
final class QuietListener implements RunListener {
    final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    final List<String> unreadable = Collections.synchronizedList(new ArrayList<>());
    final List<String> replaced = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void phase(String name) {}

    @Override
    public void unreadable(String source, String reason, String message) {
        unreadable.add(source + " " + reason);
    }

    @Override
    public void replaced(String source) {
        replaced.add(source);
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }
}
