package dev.stet.store;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which keys of a source are taken: those that match any of the globs to include (all, where there are none) and none of those to exclude. A glob matches
 * the whole key, relative to the source:
 *
 * <ul>
 *   <li>{@code *} any characters but {@code /}, also none; {@code ?} one character but {@code /}
 *   <li>{@code **} any characters; {@code **}{@code /} any folders, also none: {@code **}{@code /x} matches {@code x} and {@code a/b/x}
 *   <li>{@code [a-z]}, {@code [!a-z]} one character of the set, or not of it; never {@code /}
 *   <li>{@code {a,b*}} either; not nested
 *   <li>{@code \} takes the next character as it is
 * </ul>
 *
 * Letter case counts. Immutable.
 */
public final class KeyFilter implements Predicate<String> {
    public static final KeyFilter ALL = of(List.of(), List.of());

    private final List<Predicate<String>> include;
    private final List<Predicate<String>> exclude;

    private KeyFilter(List<Predicate<String>> include, List<Predicate<String>> exclude) {
        this.include = include;
        this.exclude = exclude;
    }

    /**
     * A filter of these globs.
     *
     * @throws IllegalArgumentException for a glob that is none; the message, one line, is for the user
     */
    public static KeyFilter of(List<String> include, List<String> exclude) {
        return new KeyFilter(compile(include), compile(exclude));
    }

    private static List<Predicate<String>> compile(List<String> globs) {
        return globs.stream()
                .map(g -> Pattern.compile(new Translation(g).regex(), Pattern.DOTALL)
                        .asMatchPredicate())
                .toList();
    }

    @Override
    public boolean test(String key) {
        return (include.isEmpty() || include.stream().anyMatch(p -> p.test(key)))
                && exclude.stream().noneMatch(p -> p.test(key));
    }

    /** One glob on its way to a regular expression. */
    private static final class Translation {
        private final String glob;
        private final StringBuilder regex = new StringBuilder();
        private int at;
        private boolean inBraces;

        Translation(String glob) {
            this.glob = glob;
        }

        String regex() {
            if (glob.isEmpty()) {
                throw new IllegalArgumentException("an empty glob matches no key");
            }
            while (at < glob.length()) {
                int c = glob.codePointAt(at);
                at += Character.charCount(c);
                token(c);
            }
            if (inBraces) {
                throw fault("{ without }");
            }
            return regex.toString();
        }

        private void token(int c) {
            switch (c) {
                case '*' -> star();
                case '?' -> regex.append("[^/]");
                case '[' -> set();
                case '{' -> {
                    if (inBraces) {
                        throw fault("{ inside { }");
                    }
                    inBraces = true;
                    regex.append("(?:");
                }
                case '}' -> {
                    if (inBraces) {
                        inBraces = false;
                        regex.append(')');
                    } else {
                        literal(c);
                    }
                }
                case ',' -> {
                    if (inBraces) {
                        regex.append('|');
                    } else {
                        literal(c);
                    }
                }
                case '\\' -> literal(escaped());
                default -> literal(c);
            }
        }

        private void star() {
            if (!glob.startsWith("*", at)) {
                regex.append("[^/]*");
                return;
            }
            boolean atStart = at == 1 || glob.charAt(at - 2) == '/';
            at++;
            if (atStart && glob.startsWith("/", at)) {
                at++;
                regex.append("(?:.*/)?");
            } else {
                regex.append(".*");
            }
        }

        private void set() {
            boolean not = glob.startsWith("!", at) || glob.startsWith("^", at);
            if (not) {
                at++;
            }
            regex.append("(?!/)[").append(not ? "^" : "");
            for (boolean first = true; ; first = false) {
                if (at >= glob.length()) {
                    throw fault("[ without ]");
                }
                int c = glob.codePointAt(at);
                at += Character.charCount(c);
                if (c == ']' && !first) {
                    regex.append(']');
                    return;
                }
                int low = c == '\\' ? escaped() : c;
                inSet(low);
                if (glob.startsWith("-", at) && at + 1 < glob.length() && glob.charAt(at + 1) != ']') {
                    at++;
                    int high = glob.codePointAt(at);
                    at += Character.charCount(high);
                    if (high == '\\') {
                        high = escaped();
                    }
                    if (high < low) {
                        throw fault("a range that runs backwards");
                    }
                    regex.append('-');
                    inSet(high);
                }
            }
        }

        private int escaped() {
            if (at >= glob.length()) {
                throw fault("\\ at the end");
            }
            int c = glob.codePointAt(at);
            at += Character.charCount(c);
            return c;
        }

        private void literal(int c) {
            regex.append(Pattern.quote(Character.toString(c)));
        }

        /** By number, so that nothing has a meaning of its own in a set. */
        private void inSet(int c) {
            regex.append("\\x{").append(Integer.toHexString(c)).append('}');
        }

        private IllegalArgumentException fault(String what) {
            return new IllegalArgumentException("not a glob: " + glob + " (" + what + ")");
        }
    }
}
