package dev.stet.compact;

/** Counts what becomes visible in the sink. Called by many threads. */
public interface LandingMeter {
    void landed(long bytes);
}
