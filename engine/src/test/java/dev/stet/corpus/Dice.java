package dev.stet.corpus;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices, the same for the same seeds on every machine. */
final class Dice {
    private final SplittableRandom random;

    Dice(long... seeds) {
        long mixed = 0x9e3779b97f4a7c15L;
        for (long seed : seeds) {
            mixed = new SplittableRandom(mixed ^ seed).nextLong();
        }
        random = new SplittableRandom(mixed);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    double fraction() {
        return random.nextDouble();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    long below(long bound) {
        return random.nextLong(bound);
    }

    /** Both ends included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Both ends included; each order of magnitude as likely as the other. */
    int betweenMagnitudes(int least, int most) {
        double exponent = Math.log(least) + fraction() * (Math.log(most) - Math.log(least));
        return (int) Math.min(most, Math.max(least, Math.round(Math.exp(exponent))));
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    String pick(String... choices) {
        return choices[below(choices.length)];
    }

    <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = below(i + 1);
            T other = list.get(j);
            list.set(j, list.get(i));
            list.set(i, other);
        }
    }
}
