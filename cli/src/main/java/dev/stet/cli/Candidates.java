package dev.stet.cli;

import java.util.Iterator;
import java.util.List;

/** Values that the shell completes. */
final class Candidates {
    private Candidates() {}

    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("json").iterator();
        }
    }

    static final class Compressions implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("none", "gzip").iterator();
        }
    }

    static final class Units implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("year", "month", "day", "hour", "minute").iterator();
        }
    }

    static final class Paddings implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("zero", "none").iterator();
        }
    }

    static final class Outputs implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("progress", "text", "json").iterator();
        }
    }

    static final class Answers implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("text", "json").iterator();
        }
    }

    static final class Ends implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("SUCCEEDED", "FAILED").iterator();
        }
    }

    static final class Shells implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("bash", "zsh").iterator();
        }
    }
}
