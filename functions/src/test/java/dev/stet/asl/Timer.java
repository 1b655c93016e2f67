package dev.stet.asl;

import java.time.Duration;

/** How executions wait: between tries, and in Wait states. */
public interface Timer {
    void pause(Duration time) throws InterruptedException;
}
