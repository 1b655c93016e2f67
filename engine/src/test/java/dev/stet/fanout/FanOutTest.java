package dev.stet.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FanOutTest {
    @Test
    void every_task_is_worked_off_before_finish_returns() throws IOException {
        AtomicInteger done = new AtomicInteger();
        try (FanOut<Integer> out = new FanOut<>("t", 3, () -> task -> done.addAndGet(task))) {
            for (int i = 1; i <= 1_000; i++) {
                out.submit(i);
            }
            out.finish();
        }
        assertThat(done).hasValue(500_500);
    }

    @Test
    void no_tasks_at_all_finish_at_once() throws IOException {
        try (FanOut<Integer> out = new FanOut<>("t", 2, () -> task -> {})) {
            out.finish();
        }
    }

    @Test
    void no_more_tasks_wait_than_there_are_threads() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger submitted = new AtomicInteger();
        try (FanOut<Integer> out = new FanOut<>("t", 2, () -> task -> {
            begun.incrementAndGet();
            awaitQuietly(go);
        })) {
            Thread submitter = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        out.submit(i);
                        submitted.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            while (submitter.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(submitted.get()).isLessThanOrEqualTo(4);
            go.countDown();
            submitter.join();
            out.finish();
        }
        assertThat(begun).hasValue(10);
    }

    @Test
    void the_first_failure_is_told_to_whoever_submits_and_to_whoever_waits() throws Exception {
        try (FanOut<Integer> out = new FanOut<>("t", 2, () -> task -> {
            throw new IOException("task " + task);
        })) {
            out.submit(7);
            assertThatIOException().isThrownBy(out::finish).withMessage("task 7");
            assertThatIOException().isThrownBy(() -> out.submit(8)).withMessage("task 7");
        }
    }

    @Test
    void an_error_of_a_worker_or_of_its_making_is_told_as_it_is() throws Exception {
        try (FanOut<Integer> out = new FanOut<>("t", 1, () -> {
            throw new OutOfMemoryError("made up");
        })) {
            assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(out::finish);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
