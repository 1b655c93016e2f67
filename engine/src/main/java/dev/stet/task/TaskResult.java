package dev.stet.task;

import java.util.List;

/**
 * What became of a task.
 *
 * @param left what is still to be done, because the deadline came, staging was full or the run is to stop; empty when the task is done
 */
public record TaskResult(CopyCounters counters, List<SourceTask> left) {
    public TaskResult {
        left = List.copyOf(left);
    }
}
