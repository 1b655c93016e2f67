package dev.stet.aws.s3;

import static dev.stet.aws.s3.StubS3.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.aws.s3.StubS3.Op;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectChangedException;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectRead;
import dev.stet.store.SourceReads;
import dev.stet.store.UnreadableObjectException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The next objects are fetched while one is worked on; nothing else may be seen of it. */
@Timeout(120)
class ReadAheadTest extends StubTest {
    private static final int PLENTY = 100 << 20;

    private List<ObjectInfo> lay(int count, int size) throws Exception {
        IntStream.range(0, count).forEach(i -> stub.objects().put("in/%04d".formatted(i), random(size + i)));
        return list(source("in/"), KeyRange.ALL).stream()
                .map(ObjectInfo.class::cast)
                .toList();
    }

    private SourceReads ahead(ReadBudget budget, List<ObjectInfo> objects) throws Exception {
        return new ReadAhead(source("in/"), budget, objects);
    }

    private static byte[] read(SourceReads reads, ObjectInfo object) throws IOException {
        try (ObjectRead read = reads.open(object)) {
            byte[] bytes = read.body().readAllBytes();
            assertThat(read.finish().key()).isEqualTo(object.key());
            return bytes;
        }
    }

    @Test
    void manyRequestsAreUnderWayForOneReader() throws Exception {
        // No request is answered before so many have come: the reader's own and those of the first window.
        readAllWhile("", 1 + ReadBudget.FIRST_WINDOW);
    }

    @Test
    void whoHasToWaitGetsMoreUnderWay() throws Exception {
        // One answer is held back until more requests have come than the first window lets out.
        readAllWhile("in/0005", 6 + 2 * ReadBudget.FIRST_WINDOW);
    }

    /** Answers to keys that begin so are held back until {@code requests} have come. */
    private void readAllWhile(String heldBack, int requests) throws Exception {
        List<ObjectInfo> objects = lay(100, 10);
        CountDownLatch together = new CountDownLatch(requests);
        stub.always(Op.GET, call -> {
            together.countDown();
            return call.key().startsWith(heldBack) && !arrives(together);
        });
        try (SourceReads reads = ahead(new ReadBudget(1_000, PLENTY), objects)) {
            for (ObjectInfo o : objects) {
                assertThat(read(reads, o)).hasSize((int) o.size());
            }
        }
        assertThat(stub.keys(Op.GET)).hasSize(100).doesNotHaveDuplicates();
    }

    private static boolean arrives(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void eachObjectIsReadByOnePinnedRequestInTheOrderAsked() throws Exception {
        List<ObjectInfo> objects = lay(300, 1_000);
        try (SourceReads reads = ahead(new ReadBudget(1_000, PLENTY), objects)) {
            for (ObjectInfo o : objects) {
                assertThat(read(reads, o)).isEqualTo(stub.objects().get("in/" + o.key()));
            }
        }
        assertThat(stub.keys(Op.GET)).hasSize(300).doesNotHaveDuplicates();
        assertThat(stub.calls(Op.GET))
                .allSatisfy(c -> assertThat(c.headers())
                        .containsEntry("if-match", StubS3.etag(stub.objects().get(c.key()))));
    }

    @Test
    void anObjectThatCannotBeReadIsToldWhenItsTurnComes() throws Exception {
        List<ObjectInfo> objects = lay(20, 10);
        stub.always(Op.GET, call -> {
            boolean archived = call.key().equals("in/0007");
            if (archived) {
                error(403, "InvalidObjectState", "The object is archived").meets(call);
            }
            return archived;
        });
        try (SourceReads reads = ahead(new ReadBudget(1_000, PLENTY), objects)) {
            for (ObjectInfo o : objects) {
                if (o.key().equals("0007")) {
                    assertThatThrownBy(() -> reads.open(o)).isInstanceOf(UnreadableObjectException.class);
                } else {
                    assertThat(read(reads, o)).hasSize((int) o.size());
                }
            }
        }
    }

    @Test
    void anObjectThatChangedMeanwhileIsReadAnewAndTheOthersAsPlanned() throws Exception {
        List<ObjectInfo> objects = lay(20, 10);
        stub.objects().put("in/0003", random(77));
        ObjectInfo now = source("in/").head("0003").orElseThrow();
        try (SourceReads reads = ahead(new ReadBudget(1_000, PLENTY), objects)) {
            for (ObjectInfo o : objects) {
                if (o.key().equals("0003")) {
                    assertThatThrownBy(() -> reads.open(o)).isInstanceOf(ObjectChangedException.class);
                    assertThat(read(reads, now)).hasSize(77);
                } else {
                    assertThat(read(reads, o)).hasSize((int) o.size());
                }
            }
        }
        assertThat(stub.count(Op.GET)).isEqualTo(21);
    }

    @Test
    void whatTheReaderPassesOverIsDropped() throws Exception {
        List<ObjectInfo> objects = lay(40, 10);
        ReadBudget budget = new ReadBudget(4, PLENTY);
        try (SourceReads reads = ahead(budget, objects)) {
            for (int i = 0; i < objects.size(); i += 3) {
                assertThat(read(reads, objects.get(i)))
                        .isEqualTo(stub.objects().get("in/" + objects.get(i).key()));
            }
        }
        assertWhole(budget, 4, PLENTY);
    }

    @Test
    void whatDoesNotFitTheBudgetIsReadWhenItsTurnComes() throws Exception {
        List<ObjectInfo> objects = lay(30, 3 << 10);
        ReadBudget budget = new ReadBudget(1_000, 8 << 10);
        try (SourceReads reads = ahead(budget, objects);
                SourceReads others = ahead(budget, objects)) {
            for (ObjectInfo o : objects) {
                assertThat(read(reads, o)).isEqualTo(read(others, o));
            }
        }
        assertWhole(budget, 1_000, 8 << 10);
        assertThat(stub.count(Op.GET)).isEqualTo(60);
    }

    @Test
    void largeObjectsAreNotFetchedAhead() throws Exception {
        List<ObjectInfo> objects = lay(3, 5 << 20);
        ReadBudget budget = new ReadBudget(1_000, PLENTY);
        try (SourceReads reads = ahead(budget, objects)) {
            for (ObjectInfo o : objects) {
                try (ObjectRead read = reads.open(o)) {
                    assertWhole(budget, 1_000, PLENTY);
                    assertThat(read.body().readAllBytes()).hasSize((int) o.size());
                }
            }
        }
        assertThat(new HashSet<>(stub.keys(Op.GET))).hasSize(3);
    }

    @Test
    void closingGivesUpWhatIsUnderWay() throws Exception {
        List<ObjectInfo> objects = lay(40, 10);
        CountDownLatch never = new CountDownLatch(1);
        stub.always(Op.GET, call -> !call.key().equals("in/0000") && !arrives(never));
        ReadBudget budget = new ReadBudget(1_000, PLENTY);
        SourceReads reads = ahead(budget, objects);
        assertThat(read(reads, objects.getFirst())).hasSize(10);
        reads.close();
        assertWhole(budget, 1_000, PLENTY);
        never.countDown();
    }

    /** Everything was given back. */
    private static void assertWhole(ReadBudget budget, int objects, long bytes) {
        long each = bytes / objects / (1 << 10) * (1 << 10);
        int took = 0;
        while (took < objects && budget.take(each)) {
            took++;
        }
        assertThat(took).isEqualTo(objects);
        assertThat(budget.take(each + (1 << 20))).isFalse();
        for (int i = 0; i < took; i++) {
            budget.giveBack(each);
        }
    }
}
