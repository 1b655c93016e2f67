package dev.stet.corpus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Tenants, few of them with most of the records (Zipf), some with names that are hard on folders and parsers. */
final class Tenants {
    private static final List<String> HARD = List.of(
            "a b",
            "x/y",
            "50%",
            "k=v&w",
            "..",
            "M\u00fcller & S\u00f6hne",
            "caf\u00e9",
            "cafe\u0301",
            "ACME",
            "\u6771\u4eac-7",
            "\ud83d\ude80 rockets",
            "say \"hi\"",
            "back\\slash",
            "tab\tbed",
            "null",
            "-");
    private static final List<String> NUMBERS = List.of("42", "42.0", "4.2e1", "-7", "12345678901234567890", "1E400");

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final List<String> names = new ArrayList<>();
    private final double[] cumulative;

    Tenants(int count, boolean odd) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; names.size() < count; i++) {
            String name = i == 0 ? "acme" : "tenant-%04d".formatted(i);
            if (odd && i % 7 == 3) {
                name = HARD.get(i / 7 % HARD.size()) + (i / 7 < HARD.size() ? "" : "-" + i);
            } else if (odd && i % 7 == 5) {
                name = i / 7 < NUMBERS.size() ? NUMBERS.get(i / 7) : String.valueOf(1000 + i);
            }
            if (seen.add(name)) {
                names.add(name);
            }
        }
        cumulative = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += 1 / Math.pow(i + 1, 1.1);
            cumulative[i] = sum;
        }
    }

    int size() {
        return names.size();
    }

    String name(int index) {
        return names.get(index);
    }

    int draw(Dice dice) {
        double wanted = dice.fraction() * cumulative[cumulative.length - 1];
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The value as a producer writes it: ids that are numbers with and without quotes. */
    static Json value(String name, Dice dice) {
        boolean number = NUMBER.matcher(name).matches();
        return number && dice.chance(0.5) ? new Json.Raw(name) : Text.string(name, dice);
    }
}
