package dev.stet.asl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stet.asl.Execution.Result;
import dev.stet.asl.Execution.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How executions go: data, errors, Maps, limits, stops. */
final class ExecutionsTest {
    private static final int PARALLEL = 8;

    private final InMemoryFiles files = new InMemoryFiles();
    private final ConcurrentLinkedQueue<Duration> pauses = new ConcurrentLinkedQueue<>();

    private StateMachines machines(Functions functions, int events) {
        return new StateMachines(
                functions, files, pauses::add, new Random(1), new StateMachines.Settings(PARALLEL, events));
    }

    private StateMachines machines(Functions functions, String definition) {
        StateMachines machines = machines(functions, Limits.HISTORY_EVENTS);
        machines.deploy("m", definition, Map.of());
        return machines;
    }

    private static JsonNode json(String text) {
        return StateMachines.json().readTree(text);
    }

    private static String task(String more) {
        return """
                {"QueryLanguage": "JSONPath", "StartAt": "Call", "States": {
                  "Call": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
                    "Parameters": {"FunctionName": "f", "Payload": {"in.$": "$.a.b", "who.$": "$$.Execution.Name"}},
                    "ResultSelector": {"got.$": "$.Payload"}%s, "End": true}}}
                """.formatted(more);
    }

    private static String map(String tolerated, String retry) {
        return """
                {"QueryLanguage": "JSONPath", "StartAt": "Each", "States": {
                  "Each": {"Type": "Map",
                    "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSONL"},
                      "Parameters": {"Bucket": "b", "Key.$": "$.items"}},
                    "ItemSelector": {"item.$": "$$.Map.Item.Value", "index.$": "$$.Map.Item.Index", "of.$": "$.name"},
                    "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
                      "StartAt": "Item", "States": {"Item": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
                        "Parameters": {"FunctionName": "f", "Payload.$": "$"}, %s
                        "OutputPath": "$.Payload", "End": true}}},
                    "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix": "p"}},
                    "MaxConcurrency": 4%s, "ResultPath": "$.each", "End": true}}}
                """.formatted(retry, tolerated);
    }

    private void items(int n) {
        files.put(
                "b/items",
                IntStream.range(0, n).mapToObj(i -> "{\"n\":" + i + "}\n").collect(Collectors.joining()));
    }

    @Test
    void pathsSelectWhatATaskGetsAndWhatBecomesOfItsResult() {
        StateMachines machines = machines(
                (name, payload) -> json("{\"echo\":" + payload + ",\"by\":\"" + name + "\"}"),
                task(", \"ResultPath\": \"$.x.y\", \"OutputPath\": \"$.x\""));
        Result end = machines.start("m", "one", json("{\"a\":{\"b\":7}}")).await();
        assertThat(end.output()).contains(json("{\"y\":{\"got\":{\"echo\":{\"in\":7,\"who\":\"one\"},\"by\":\"f\"}}}"));
    }

    @Test
    void aMissingPathFailsTheExecutionAndIsNotCaught() {
        StateMachines machines = machines((_, p) -> p, task(""));
        assertThat(machines.start("m", "one", json("{}")).await().error()).isEqualTo("States.ParameterPathFailure");
    }

    @Test
    void retriesWaitLongerEachTimeAndThenGiveUp() {
        AtomicInteger calls = new AtomicInteger();
        StateMachines machines = machines(
                (_, _) -> {
                    calls.incrementAndGet();
                    throw new Failure("Lambda.TooManyRequestsException", "slow down");
                },
                task("""
                        , "Retry": [{"ErrorEquals": ["Other"]},
                          {"ErrorEquals": ["Lambda.TooManyRequestsException"], "IntervalSeconds": 2, "MaxAttempts": 4, "BackoffRate": 3, "MaxDelaySeconds": 20}]
                        """));
        Result end = machines.start("m", "one", json("{\"a\":{\"b\":1}}")).await();
        assertThat(end.status()).isEqualTo(Status.FAILED);
        assertThat(end.error()).isEqualTo("Lambda.TooManyRequestsException");
        assertThat(calls).hasValue(5);
        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(2L, 6L, 18L, 20L);
    }

    @Test
    void fullJitterShortensAPause() {
        StateMachines machines = machines(
                (_, _) -> {
                    throw new Failure("E", "");
                },
                task(
                        ", \"Retry\": [{\"ErrorEquals\": [\"States.TaskFailed\"], \"IntervalSeconds\": 100, \"JitterStrategy\": \"FULL\"}]"));
        Result _ = machines.start("m", "one", json("{\"a\":{\"b\":1}}")).await();
        assertThat(pauses).hasSize(3).anyMatch(p -> p.toMillis() % 1_000 != 0);
        assertThat(pauses.peek()).isLessThan(Duration.ofSeconds(100));
    }

    @Test
    void anErrorIsCaughtByNameAndPutIntoTheInput() {
        String catching = """
                {"QueryLanguage": "JSONPath", "StartAt": "Call", "States": {
                  "Call": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
                    "Parameters": {"FunctionName": "f", "Payload": {}},
                    "Catch": [{"ErrorEquals": ["Mine"], "ResultPath": "$.e", "Next": "Mine"}, {"ErrorEquals": ["States.ALL"], "Next": "Any"}], "End": true},
                  "Mine": {"Type": "Pass", "End": true},
                  "Any": {"Type": "Fail", "ErrorPath": "$.Error", "CausePath": "$.Cause"}}}
                """;
        StateMachines mine = machines(
                (_, _) -> {
                    throw new Failure("Mine", "c");
                },
                catching);
        assertThat(mine.start("m", "one", json("{\"k\":1}")).await().output())
                .contains(json("{\"k\":1,\"e\":{\"Error\":\"Mine\",\"Cause\":\"c\"}}"));
        StateMachines other = machines(
                (_, _) -> {
                    throw new Failure("Other", "c");
                },
                catching);
        assertThat(other.start("m", "one", json("{}")).await().error()).isEqualTo("Other");
    }

    @Test
    void choicesCompareAndAValueThatIsNotThereIsAnError() {
        String choosing = """
                {"QueryLanguage": "JSONPath", "StartAt": "Which", "States": {
                  "Which": {"Type": "Choice", "Choices": [
                    {"And": [{"Variable": "$.n", "IsPresent": true}, {"Variable": "$.n", "NumericGreaterThan": 5}], "Next": "Big"},
                    {"Not": {"Variable": "$.t", "StringEquals": "x"}, "Next": "Other"}]},
                  "Big": {"Type": "Pass", "Result": "big", "End": true},
                  "Other": {"Type": "Pass", "Result": "other", "End": true}}}
                """;
        StateMachines machines = machines((_, p) -> p, choosing);
        assertThat(machines.start("m", "a", json("{\"n\":6}")).await().output()).contains(json("\"big\""));
        assertThat(machines.start("m", "b", json("{\"t\":\"y\",\"n\":5}"))
                        .await()
                        .output())
                .contains(json("\"other\""));
        assertThat(machines.start("m", "c", json("{\"t\":\"x\"}")).await().error())
                .isEqualTo("States.NoChoiceMatched");
        assertThat(machines.start("m", "d", json("{}")).await().error()).isEqualTo("States.Runtime");
    }

    @Test
    void aMapRunsEachLineOnceAndWritesItsResultsToFiles() throws Exception {
        items(3_300);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        StateMachines machines = machines(
                (_, payload) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    return payload.get("item").get("n");
                },
                map("", ""));
        Result end = machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"))
                .await();
        JsonNode details = end.output().orElseThrow().get("each").get("ResultWriterDetails");
        JsonNode manifest = files.json("b", details.get("Key").asString());
        assertThat(manifest.get("ResultFiles").get("SUCCEEDED").size()).isEqualTo(3);
        assertThat(manifest.get("ResultFiles").get("FAILED").size()).isZero();
        int sum = 0;
        for (JsonNode file : manifest.get("ResultFiles").get("SUCCEEDED").values()) {
            for (JsonNode entry : files.json("b", file.get("Key").asString()).values()) {
                JsonNode input = json(entry.get("Input").asString());
                assertThat(input.get("of").asString()).isEqualTo("x");
                assertThat(input.get("index")).isEqualTo(input.get("item").get("n"));
                sum += json(entry.get("Output").asString()).intValue();
            }
        }
        assertThat(sum).isEqualTo(3_299 * 3_300 / 2);
        assertThat(most.get()).isBetween(1, 4);
    }

    private static Functions failingEvery(int k) {
        return (_, payload) -> {
            if (payload.get("item").get("n").intValue() % k == 0) {
                throw new Failure("Bad", "item");
            }
            return payload;
        };
    }

    @Test
    void toleratedFailuresAreListedInTheResults() throws Exception {
        items(20);
        StateMachines machines = machines(failingEvery(10), map(", \"ToleratedFailurePercentage\": 10", ""));
        Result end = machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"))
                .await();
        assertThat(end.status()).isEqualTo(Status.SUCCEEDED);
        JsonNode manifest = files.json(
                "b",
                end.output().orElseThrow().at("/each/ResultWriterDetails/Key").asString());
        String failed = manifest.at("/ResultFiles/FAILED/0/Key").asString();
        assertThat(files.json("b", failed).values())
                .extracting(e -> json(e.get("Input").asString()).at("/item/n").intValue()
                        + e.get("Error").asString())
                .containsExactlyInAnyOrder("0Bad", "10Bad");
    }

    @Test
    void oneFailureMoreThanToleratedFailsTheMapAndStopsTheRest() {
        items(2_000);
        AtomicInteger calls = new AtomicInteger();
        StateMachines machines = machines(
                (_, _) -> {
                    calls.incrementAndGet();
                    throw new Failure("Bad", "item");
                },
                map(", \"ToleratedFailureCount\": 5", ""));
        Result end = machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"))
                .await();
        assertThat(end.error()).isEqualTo("States.ExceedToleratedFailureThreshold");
        assertThat(calls.get()).isBetween(6, 100);
    }

    @Test
    void withoutToleranceOneFailureFailsTheMap() {
        items(10);
        StateMachines machines = machines(failingEvery(10), map("", ""));
        assertThat(machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"))
                        .await()
                        .error())
                .isEqualTo("States.ExceedToleratedFailureThreshold");
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "broken", "long"})
    void itemsThatCannotBeReadFailTheMap(String which) {
        files.put("b/broken", "{\"n\":1}\n{\"n\":\n");
        files.put("b/long", "\"" + "x".repeat(Limits.PAYLOAD) + "\"\n");
        StateMachines machines = machines((_, p) -> p, map("", ""));
        assertThat(machines.start("m", "one", json("{\"items\":\"" + which + "\",\"name\":\"x\"}"))
                        .await()
                        .error())
                .isEqualTo("States.ItemReaderFailed");
    }

    @Test
    void aResultMayHave256KiBAndNoByteMore() {
        int wrapping = "{\"ExecutedVersion\":\"$LATEST\",\"StatusCode\":200,\"Payload\":\"\"}".length();
        for (int over : List.of(0, 1)) {
            StateMachines machines = machines(
                    (_, _) -> json("\"" + "x".repeat(Limits.PAYLOAD - wrapping + over) + "\""),
                    task(", \"ResultPath\": null, \"Retry\": [{\"ErrorEquals\": [\"States.ALL\"]}]"));
            Result end = machines.start("m", "one", json("{\"a\":{\"b\":1}}")).await();
            assertThat(end.error()).isEqualTo(over == 0 ? "" : "States.DataLimitExceeded");
        }
        assertThat(pauses).as("States.ALL does not retry it").isEmpty();
    }

    @Test
    void anItemIsMeasuredWithWhatTheSelectorAdds() {
        files.put("b/items", "\"" + "x".repeat(Limits.PAYLOAD - 20) + "\"\n");
        StateMachines machines = machines((_, p) -> p, map("", ""));
        assertThat(machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"))
                        .await()
                        .error())
                .isEqualTo("States.DataLimitExceeded");
    }

    @Test
    void anExecutionEndsAtItsLimitOfEvents() {
        String endless = """
                {"QueryLanguage": "JSONPath", "StartAt": "Again", "States": {
                  "Again": {"Type": "Choice", "Choices": [{"Variable": "$.on", "BooleanEquals": true, "Next": "Again"}], "Default": "Out"},
                  "Out": {"Type": "Succeed"}}}
                """;
        StateMachines machines = machines((_, p) -> p, endless);
        Execution execution = machines.start("m", "one", json("{\"on\":true}"));
        assertThat(execution.await().cause()).contains("maximum number of history events (25000)");
        assertThat(execution.history().events()).hasSize(25_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "a:b", "ü"})
    void namesOfExecutionsAreChecked(String name) {
        StateMachines machines = machines((_, p) -> p, task(""));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> machines.start("m", name, json("{}")))
                .withMessageContaining("InvalidName");
    }

    @Test
    void aNameIsTakenForGood() {
        StateMachines machines = machines((_, p) -> p, task(""));
        Result _ =
                machines.start("m", "n".repeat(80), json("{\"a\":{\"b\":1}}")).await();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> machines.start("m", "n".repeat(80), json("{\"a\":{\"b\":1}}")))
                .withMessageContaining("ExecutionAlreadyExists");
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> machines.start("m", "n".repeat(81), json("{}")));
    }

    @Test
    void aStopEndsChildrenAndStartsNoMoreWhileCallsUnderWayGoOn() throws Exception {
        items(100);
        CountDownLatch begun = new CountDownLatch(4);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(4);
        AtomicInteger calls = new AtomicInteger();
        StateMachines machines = machines(
                (_, payload) -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    goOn.await();
                    ended.countDown();
                    return payload;
                },
                map("", ""));
        Execution execution = machines.start("m", "one", json("{\"items\":\"items\",\"name\":\"x\"}"));
        begun.await();
        execution.stop("User", "enough");
        assertThat(execution.await())
                .isEqualTo(new Result(Status.ABORTED, java.util.Optional.empty(), "User", "enough"));
        assertThat(execution.children()).hasSize(4).allMatch(c -> c.status() == Status.ABORTED);
        goOn.countDown();
        ended.await();
        assertThat(calls).hasValue(4);
    }

    @Test
    void aNestedExecutionIsAwaitedAndItsFailureIsTheTasks() {
        String outer = """
                {"QueryLanguage": "JSONPath", "StartAt": "Nest", "States": {
                  "Nest": {"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2",
                    "Parameters": {"StateMachineArn": "${Inner}", "Input": {"a.$": "$.a"}}, "OutputPath": "$.Output", "End": true}}}
                """;
        StateMachines machines = machines((_, p) -> p.get("in"), task(", \"OutputPath\": \"$.got\""));
        machines.deploy("outer", outer, Map.of("Inner", StateMachines.arn("m")));
        assertThat(machines.start("outer", "one", json("{\"a\":{\"b\":7}}"))
                        .await()
                        .output())
                .contains(json("7"));
        Result bad = machines.start("outer", "two", json("{\"a\":{}}")).await();
        assertThat(bad.error()).isEqualTo("States.TaskFailed");
        assertThat(bad.cause()).contains("States.ParameterPathFailure");
    }

    @Test
    void timeGoesByInAWait() {
        StateMachines machines = machines((_, p) -> p, """
                {"QueryLanguage": "JSONPath", "StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}}
                """);
        assertThat(machines.start("m", "one", json("{}")).await().status()).isEqualTo(Status.SUCCEEDED);
        assertThat(pauses).containsExactly(Duration.ofMinutes(1));
    }
}
