package dev.stet.compact;

import java.util.List;

/** Neighbouring outputs of a plan, landed by one thread: of each run they read one contiguous range. */
record LandingTask(List<Output> outputs) {
    LandingTask {
        outputs = List.copyOf(outputs);
    }
}
