package dev.stet.plan;

/**
 * By how much guesses are off: by the same factor all over an archive where its keys leave out numbers (there is no hour 24 to 99). So a piece is counted now and then: the first,
 * the second, the fourth, … and from then on every 64th. Thread-safe.
 */
final class Calibration {
    private static final int EVERY = 64;

    private long pieces;
    private long counted;
    private double correction = 1;

    /** Whether the piece at hand is to be counted. */
    synchronized boolean next() {
        pieces++;
        return pieces < EVERY ? Long.bitCount(pieces) == 1 : pieces % EVERY == 0;
    }

    /** A piece that was guessed to have so many keys has so many. */
    synchronized void learn(long guess, long keys) {
        double factor = (double) keys / guess;
        correction = counted++ == 0 ? factor : (correction + factor) / 2;
    }

    synchronized long corrected(long guess) {
        return Math.max(1, (long) (guess * correction));
    }
}
