package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.asl.Execution;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.ledger.CommitState;
import dev.stet.registry.Run;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Objects that notifications tell of: each lands exactly once, however often, in whatever order and beside whatever else it is told of. */
final class S3EventTest {
    private static final String CREATED = "ObjectCreated:Put";
    private static final String NOTIFICATION =
            "{\"Records\":[{\"eventName\":\"ObjectCreated:Put\",\"s3\":{\"bucket\":{\"name\":\"%s\"},\"object\":{\"key\":\"%s\"}}}]}";

    private final Map<String, byte[]> objects = new TreeMap<>();
    private Archive archive = Archive.of(0, 0, 0);
    private Cloud cloud;

    @BeforeEach
    void makeArchive() throws Exception {
        cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
        archive = Archive.of(9, 40, 2_000).write(objects::put);
    }

    @AfterEach
    void close() throws Exception {
        cloud.close();
    }

    private EventMessages telling(List<String> keys) {
        EventMessages messages = new EventMessages();
        keys.forEach(k -> messages.tell(cloud.devices(), "raw/" + k, CREATED));
        return messages;
    }

    private JsonNode handle(EventMessages messages) throws Exception {
        return cloud.inProcess().invoke("s3-event", messages.batch());
    }

    /** Lands what is committed, and copies what was missed, if anything was. @return objects the run found new */
    private long landAll() throws Exception {
        Run run = cloud.start();
        Execution.Result end =
                cloud.execute(cloud.machines(cloud.inProcess()), run).await();
        assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
        return cloud.registry()
                .find(run.runId())
                .outcome()
                .orElseThrow()
                .totals()
                .objectsCopied();
    }

    @Test
    void onAnEmptyLedgerDuplicatesInAnyOrderAreCopiedOnce() throws Exception {
        objects.forEach(cloud::put);
        List<String> keys = new ArrayList<>(objects.keySet());
        keys.addAll(objects.keySet());
        Collections.shuffle(keys, new Random(1));
        assertThat(EventMessages.again(handle(telling(keys.subList(0, 50))))).isEmpty();
        assertThat(EventMessages.again(handle(telling(keys.subList(30, 80))))).isEmpty();
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void batchesAtOnceBesideTheFirstListingCopyEachObjectOnce() throws Exception {
        objects.forEach(cloud::put);
        List<String> keys = new ArrayList<>(objects.keySet());
        Run run = cloud.start();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<List<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                List<String> some = keys.subList(i * 10, keys.size());
                answers.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return EventMessages.again(handle(telling(some)));
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        pool));
            }
            Execution.Result end =
                    cloud.execute(cloud.machines(cloud.inProcess()), run).await();
            assertThat(end.status()).as(end.cause()).isEqualTo(Execution.Status.SUCCEEDED);
            answers.forEach(a -> assertThat(a.join()).isEmpty());
        }
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
        cloud.requireNoGarbage();
    }

    @Test
    void anObjectThatIsGoneAndWhatIsNoNewObjectAreIgnored() throws Exception {
        String gone = objects.keySet().iterator().next();
        EventMessages messages = telling(List.of(gone))
                .tell(cloud.devices(), "raw/" + gone, "ObjectRemoved:Delete")
                .tell(cloud.devices(), "elsewhere/x.json", CREATED)
                .tell("another-bucket", "raw/x.json", CREATED);
        assertThat(EventMessages.again(handle(messages))).isEmpty();
        assertThat(cloud.commits(cloud.site(), CommitState.COMMITTED)).isEmpty();
    }

    @Test
    void theCurrentVersionIsCopiedWhicheverVersionTheEventWasOf() throws Exception {
        String key = objects.keySet().iterator().next();
        cloud.put(key, "{\"old\":1}".getBytes(StandardCharsets.UTF_8));
        objects.forEach(cloud::put);
        assertThat(EventMessages.again(handle(telling(List.of(key))))).isEmpty();
        assertThat(EventMessages.again(handle(telling(List.of(key))))).isEmpty();
        assertThat(landAll()).isPositive();
        assertThat(archive.differences(cloud.sink(), Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void aMessageThatIsNoNotificationComesAgainAndTheOthersAreDone() throws Exception {
        objects.forEach(cloud::put);
        EventMessages messages =
                telling(List.copyOf(objects.keySet())).message("hello").message("{\"a\":1}");
        assertThat(EventMessages.again(handle(messages))).containsExactly("m41", "m42");
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void aBatchAtTheLimitOfThePayloadIsCopied() throws Exception {
        objects.forEach(cloud::put);
        EventMessages messages = telling(List.copyOf(objects.keySet()));
        int n = 0;
        while (messages.batch().toString().length() < 6_000_000 - 300_000) {
            for (int i = 0; i < 1_000; i++) {
                // Of prefixes that no pipeline copies, as when one queue serves a whole bucket.
                messages.tell(cloud.devices(), "other/" + "x".repeat(100) + n++, CREATED);
            }
        }
        messages.message("{\"Event\":\"s3:TestEvent\"," + "\"pad\":\""
                + "p".repeat(6_000_000 - messages.batch().toString().length() - 200) + "\"}");
        assertThat(messages.batch().toString().length()).isBetween(5_999_700, 6_000_000);
        assertThat(EventMessages.again(handle(messages))).isEmpty();
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void whatNoObjectCanBeCalledComesAgainAloneAndANameThatIsJustOddIsLookedFor() throws Exception {
        objects.forEach(cloud::put);
        EventMessages messages = telling(List.copyOf(objects.keySet()));
        List<String> encoded = List.of("raw/100%", "raw/%zz", "raw/%", "raw/" + "x".repeat(1_021), "raw/\\ud800", "");
        for (String key : encoded) {
            messages.message(NOTIFICATION.formatted(cloud.devices(), key));
        }
        // A folder as consoles make them, and characters that are odd and legal.
        for (String key : List.of("raw/", "raw/%00", "raw/..%2F..%2Fx", "raw//", "raw/" + "x".repeat(1_020))) {
            messages.message(NOTIFICATION.formatted(cloud.devices(), key));
        }
        assertThat(EventMessages.again(handle(messages)))
                // Of the last ones, what this server refuses to look for; the others are done.
                .startsWith("m41", "m42", "m43", "m44", "m45", "m46")
                .doesNotContain("m47", "m51")
                .doesNotContainAnyElementsOf(IntStream.rangeClosed(1, objects.size())
                        .mapToObj(i -> "m" + i)
                        .toList());
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void whateverOtherBodiesSayTheGoodMessagesAreDone() throws Exception {
        objects.forEach(cloud::put);
        BadBodies bad = new BadBodies(11, NOTIFICATION.formatted(cloud.devices(), "raw/none.json"));
        EventMessages messages = new EventMessages();
        List<String> good = new ArrayList<>();
        for (String key : objects.keySet()) {
            for (int i = 0; i < 10; i++) {
                messages.message(bad.next());
            }
            messages.tell(cloud.devices(), "raw/" + key, CREATED);
            good.add("m" + messages.batch().get("Records").size());
        }
        assertThat(EventMessages.again(handle(messages)))
                .hasSizeGreaterThan(100)
                .doesNotContainAnyElementsOf(good);
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void whatThereWasNoTimeForComesAgain() throws Exception {
        objects.forEach(cloud::put);
        EventMessages messages = telling(List.copyOf(objects.keySet()));
        Duration justTheMargin = cloud.settings().margin();
        List<String> again =
                EventMessages.again(cloud.inProcess().limit(justTheMargin).invoke("s3-event", messages.batch()));
        assertThat(again).hasSize(objects.size());
        assertThat(cloud.commits(cloud.site(), CommitState.COMMITTED)).isEmpty();
        assertThat(EventMessages.again(handle(messages))).isEmpty();
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }

    @Test
    void whatCouldNotBeCopiedComesAgain() throws Exception {
        objects.forEach(cloud::put);
        EventMessages messages = telling(List.copyOf(objects.keySet()));
        cloud.server().owner().deleteBucket(r -> r.bucket(cloud.lake()));
        assertThat(EventMessages.again(handle(messages))).hasSize(objects.size());
        cloud.server().owner().createBucket(r -> r.bucket(cloud.lake()));
        assertThat(EventMessages.again(handle(messages))).isEmpty();
        assertThat(landAll()).isZero();
        assertThat(archive.differences(cloud.sink(), 1)).isEmpty();
    }
}
