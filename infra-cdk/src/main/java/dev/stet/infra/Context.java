package dev.stet.infra;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Context as the CLI hands it over, read by name; whatever is wrong with a value is said with its name. */
final class Context {
    /** The CDK's own that look like a setting; its others have a colon or a slash in their names. */
    private static final Set<String> OF_THE_CDK = Set.of("acknowledged-issue-numbers", "cli-telemetry");

    private final Map<String, Object> values;

    Context(Map<String, Object> values) {
        this.values = values;
    }

    /** Refuses a name that nobody reads: a slip of the pen would pass for a default. @throws IllegalArgumentException with the nearest name that is read */
    void requireOnly(Collection<String> known) {
        for (String name : values.keySet().stream().sorted().toList()) {
            if (!known.contains(name) && !OF_THE_CDK.contains(name) && !name.matches(".*[:/@].*")) {
                String near = known.stream()
                        .min(Comparator.<String>comparingInt(k -> distance(plain(k), plain(name)))
                                .thenComparing(Comparator.naturalOrder()))
                        .filter(k -> distance(plain(k), plain(name)) <= Math.max(2, k.length() / 3))
                        .map(k -> "; is it " + k + "?")
                        .orElse("");
                throw new IllegalArgumentException(name + ": there is no such setting" + near);
            }
        }
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    }

    /** How many letters must be put in, taken out or changed (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    /** One value. @throws IllegalArgumentException when there are several */
    Optional<String> text(String name) {
        List<String> all = items(name, false);
        if (all.size() > 1) {
            throw new IllegalArgumentException(name + ": one value, not a list");
        }
        return all.stream().findFirst();
    }

    /** One value of a form. @param wanted the form, for the message */
    Optional<String> text(String name, Predicate<String> valid, String wanted) {
        Optional<String> text = text(name);
        text.ifPresent(t -> require(name, t, valid, wanted));
        return text;
    }

    /** Values with commas between them, or a list in cdk.json. */
    List<String> list(String name, Predicate<String> valid, String wanted) {
        List<String> list = items(name, true);
        list.forEach(t -> require(name, t, valid, wanted));
        return list;
    }

    Optional<Integer> number(String name, int most) {
        return text(
                        name,
                        t -> t.matches("[1-9][0-9]{0,8}") && Integer.parseInt(t) <= most,
                        "a number from 1 to " + most)
                .map(Integer::valueOf);
    }

    Optional<Boolean> flag(String name) {
        return text(name, t -> t.matches("true|false"), "true or false").map(Boolean::valueOf);
    }

    /** @param resource what comes after the account, a regular expression; {@code form} says it in words */
    Optional<String> arn(String name, String service, String resource, String form) {
        return text(name, t -> isArn(t, service, resource), arnForm(service, form));
    }

    List<String> arns(String name, String service, String resource, String form) {
        return list(name, t -> isArn(t, service, resource), arnForm(service, form));
    }

    private static boolean isArn(String text, String service, String resource) {
        return text.matches("arn:aws[a-z-]*:" + service + ":[a-z0-9-]+:[0-9]{12}:" + resource);
    }

    private static String arnForm(String service, String form) {
        return "an ARN, arn:aws:" + service + ":REGION:ACCOUNT:" + form;
    }

    private static void require(String name, String text, Predicate<String> valid, String wanted) {
        if (!valid.test(text)) {
            throw new IllegalArgumentException(name + ": " + wanted + ", not " + text);
        }
    }

    private List<String> items(String name, boolean commas) {
        return switch (Optional.ofNullable(values.get(name)).orElse("")) {
            case Map<?, ?> _ -> throw new IllegalArgumentException(name + ": a text, not an object");
            case Collection<?> list -> list.stream().map(String::valueOf).toList();
            case Object one when commas -> parts(List.of(String.valueOf(one).split(",", -1)));
            case Object one -> parts(List.of(String.valueOf(one)));
        };
    }

    private static List<String> parts(List<String> texts) {
        return texts.stream().map(String::strip).filter(s -> !s.isEmpty()).toList();
    }
}
