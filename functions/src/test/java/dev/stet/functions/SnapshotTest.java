package dev.stet.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import dev.stet.asl.Functions;
import dev.stet.aws.s3.Servers;
import dev.stet.corpus.Archive;
import dev.stet.ledger.Commit;
import dev.stet.ledger.CommitState;
import dev.stet.registry.RegistryService;
import dev.stet.registry.Run;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.crac.Core;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The hooks around a snapshot (SnapStart), driven as the service does. */
final class SnapshotTest {
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noConnectionIsOpenAtACheckpointAndEachRestoreBeginsAnew() throws Exception {
        try (Cloud cloud = Cloud.behindRelays(Servers.s3Proxy(), Clock.systemUTC())) {
            Archive _ = Archive.of(8, 30, 1_000).write(cloud::put);
            Wiring wiring = cloud.wiring();
            Functions functions = cloud.inProcess(wiring);
            Set<Long> nonces = new HashSet<>();
            Set<String> commits = new HashSet<>();
            for (int restore = 0; restore < 3; restore++) {
                Run run = cloud.start();
                JsonNode state = functions.invoke("plan", EventFiles.read("plan.json", "RUN_ID", run.runId()));
                cloud.put("new-" + restore + ".json", ("{\"n\":" + restore + "}").getBytes(StandardCharsets.UTF_8));
                for (ObjectNode task : cloud.tasks(run, state)) {
                    assertThat(functions
                                    .invoke("copy", task)
                                    .at("/counters/commits")
                                    .longValue())
                            .isPositive();
                }
                nonces.add(wiring.random().nextLong());
                assertThat(cloud.connections())
                        .as("connections of a function at work")
                        .isPositive();

                wiring.beforeCheckpoint(Core.getGlobalContext());
                cloud.awaitNoConnections();
                wiring.afterRestore(Core.getGlobalContext());
            }
            for (Commit c : cloud.commits(cloud.site(), CommitState.COMMITTED)) {
                commits.add(c.id());
            }
            assertThat(nonces).as("randomness after each restore").hasSize(3);
            assertThat(commits).as("one commit after each restore").hasSize(3);
        }
    }

    /** Both begin from the same snapshot: the same state of memory, here the same object. */
    @Test
    void whatASnapshotHoldsIsNotUsedForIds() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC())) {
            Wiring wiring = cloud.wiring();
            var before = wiring.random();
            wiring.beforeCheckpoint(Core.getGlobalContext());
            wiring.afterRestore(Core.getGlobalContext());
            assertThat(wiring.random()).isNotSameAs(before);
        }
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void theRegistryHoldsNoConnectionAtACheckpointAndBeginsAnewAfterEachRestore() throws Exception {
        try (Cloud cloud = Cloud.behindRelays(Servers.s3Proxy(), Clock.systemUTC())) {
            RegistryProcess process = cloud.registryProcess();
            Set<RegistryService> services = Collections.newSetFromMap(new IdentityHashMap<>());
            RegistryHandler handler = new RegistryHandler(process::service);
            for (int restore = 0; restore < 3; restore++) {
                assertThat(handler.handleRequest(listPipelines(), new FakeContext("registry", "r", Duration.ZERO))
                                .getBody())
                        .contains(Cloud.PIPELINE);
                assertThat(cloud.connections())
                        .as("connections of a function at work")
                        .isPositive();
                services.add(process.service());

                process.beforeCheckpoint(Core.getGlobalContext());
                cloud.awaitNoConnections();
                process.afterRestore(Core.getGlobalContext());
                assertThat(cloud.connections()).as("before the first request").isZero();
            }
            assertThat(services)
                    .as("services, with the randomness of their ids")
                    .hasSize(3);
            process.close();
        }
    }

    private static APIGatewayV2HTTPEvent listPipelines() {
        return APIGatewayV2HTTPEvent.builder()
                .withRawPath("/ListPipelines")
                .withBody("{}")
                .withRequestContext(APIGatewayV2HTTPEvent.RequestContext.builder()
                        .withHttp(APIGatewayV2HTTPEvent.RequestContext.Http.builder()
                                .withMethod("POST")
                                .build())
                        .withAuthorizer(APIGatewayV2HTTPEvent.RequestContext.Authorizer.builder()
                                .withIam(APIGatewayV2HTTPEvent.RequestContext.IAM
                                        .builder()
                                        .withAccessKey("somebody")
                                        .build())
                                .build())
                        .build())
                .build();
    }

    @Test
    void theHotPathRunsBeforeASnapshot() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC())) {
            assertThat(new WarmUp(cloud.wiring()).run()).isEqualTo(5_000);
        }
    }

    /** A JVM as the service runs it, from its start to a copied task. */
    @Test
    void aWorkerKeepsLittleInItsTemporaryFolder() throws Exception {
        try (Cloud cloud = new Cloud(Servers.s3Proxy(), Clock.systemUTC());
                WorkerJvm worker = WorkerJvm.start(CopyHandler.class, cloud.environment())) {
            Archive _ = Archive.of(8, 300, 20_000).write(cloud::put);
            Run run = cloud.start();
            JsonNode state = cloud.inProcess()
                    .invoke("plan", JsonMapper.shared().createObjectNode().put("runId", run.runId()));
            for (ObjectNode task : cloud.tasks(run, state)) {
                List<JsonNode> left =
                        List.copyOf(worker.invoke(task).get("left").values());
                assertThat(left).isEmpty();
            }
            assertThat(worker.temporaryBytes()).isBetween(1L, 512L << 20);
            assertThat(worker.log().lines().filter(l -> !l.startsWith("{")))
                    .as("every log line is a JSON object")
                    .isEmpty();
        }
    }
}
