package dev.stet.config;

import java.util.Collection;
import java.util.Optional;

/** The known word that is most like a mistyped one. */
public final class Nearest {
    private Nearest() {}

    /** The word of the fewest edits; the first of several. Empty only when there are no words. */
    public static Optional<String> to(String word, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(word, candidate);
            if (edits < least) {
                least = edits;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    /** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other. */
    static int edits(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : cell(a, b, i, j, d);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int cell(String a, String b, int i, int j, int[][] d) {
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, d[i - 2][j - 2] + 1) : least;
    }
}
