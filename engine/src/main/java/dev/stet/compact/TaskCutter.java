package dev.stet.compact;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts the plan into tasks of neighbouring outputs of one time partition. */
final class TaskCutter implements CompactionPlan.Consumer {
    private final TaskLimits limits;
    private final TaskConsumer consumer;
    private final List<Output> outputs = new ArrayList<>();
    private Optional<RunHeads.Mark> start = Optional.empty();
    private Optional<CompactionPlan.Where> last = Optional.empty();
    private long bytes;
    private long slices;

    /** Takes tasks in plan order. */
    interface TaskConsumer {
        /**
         * May block until the task can be taken.
         *
         * @param from where in the indexes the path of the first output begins
         * @param to behind the last output
         */
        void task(LandingTask task, RunHeads.Mark from, RunHeads.Mark to) throws IOException;
    }

    TaskCutter(TaskLimits limits, TaskConsumer consumer) {
        this.limits = limits;
        this.consumer = consumer;
    }

    @Override
    public void accept(Output output, CompactionPlan.Where where) throws IOException {
        if (!outputs.isEmpty() && outputs.getLast().timePartition() != output.timePartition()) {
            end();
        }
        if (outputs.isEmpty()) {
            start = Optional.of(where.pathStart());
        }
        last = Optional.of(where);
        outputs.add(output);
        bytes += output.length();
        slices += output.parts().size();
        if (bytes >= limits.bytes() || outputs.size() >= limits.outputs() || slices >= limits.slices()) {
            end();
        }
    }

    void end() throws IOException {
        if (!outputs.isEmpty()) {
            consumer.task(
                    new LandingTask(outputs),
                    start.orElseThrow(),
                    last.orElseThrow().here());
            outputs.clear();
            bytes = 0;
            slices = 0;
        }
    }
}
