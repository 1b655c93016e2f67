package dev.stet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.Runs;
import dev.stet.run.Ledgers;
import dev.stet.run.LocalEngine;
import dev.stet.serve.Guard;
import dev.stet.serve.RegistryServer;
import dev.stet.serve.SignatureCheck;
import dev.stet.serve.TokenCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import tools.jackson.databind.node.ObjectNode;

/** The registry over HTTP, as {@code stet serve} serves it: proofs of who calls, and runs that run in processes of their own. */
@DisabledOnOs(OS.WINDOWS)
class ServeTest {
    private static final String ORDERS =
            "{\"name\": \"orders-bronze\", \"source\": \"postgres://orders\", \"sink\": \"iceberg://lake/orders\"}";
    private static final String ISSUER = "https://issuer.example";
    private static final SignatureCheck.Keys KEYS =
            new SignatureCheck.Keys("AKIDEXAMPLE", "s3cr3t/+with=signs", Optional.empty());
    private static RSAKey key;

    @TempDir
    Path work;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private LocalRegistry registry;
    private RegistryServer server;

    private record Answer(int status, ObjectNode json) {
        String text(String field) {
            return json.path(field).asString("");
        }
    }

    @BeforeAll
    static void makeKey() throws JOSEException {
        key = new RSAKeyGenerator(2048).keyID("k1").generate();
    }

    @BeforeEach
    void start() throws Exception {
        Files.writeString(work.resolve("keys.json"), new JWKSet(key.toPublicJWK()).toString());
        Guard guard = Guard.of(
                Optional.of(new SignatureCheck(() -> KEYS, Clock.systemUTC())),
                Optional.of(TokenCheck.of(ISSUER, "elt", "keys.json", work)));
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Surroundings surroundings = new Surroundings(
                nowhere, nowhere, work, name -> Optional.empty(), new Terminal(), LocalEngine::new, Ledgers.NONE);
        registry = LocalRegistry.open(surroundings, Optional.of("state"));
        server = RegistryServer.start(0, new RegistryApi(registry.service(), faults::add), guard);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        registry.close();
        http.close();
        assertThat(faults).isEmpty();
    }

    /** A page may send what it likes to any address that the browser reaches. */
    @Test
    void withoutAuthorisationNoPageOfABrowserIsAnswered() throws Exception {
        try (RegistryServer open =
                RegistryServer.start(0, new RegistryApi(registry.service(), faults::add), Guard.open())) {
            assertThat(statusAt(open.address(), "127.0.0.1", "")).isEqualTo(200);
            assertThat(statusAt(open.address(), "localhost", "")).isEqualTo(200);
            assertThat(statusAt(open.address(), "127.0.0.1", "Origin: http://evil.example\r\n"))
                    .isEqualTo(403);
            assertThat(statusAt(open.address(), "evil.example", "")).isEqualTo(403);
        }
    }

    /** By hand, since clients do not let a caller choose the host that they name. */
    private static int statusAt(URI address, String host, String header) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            String request = "POST /ListRuns HTTP/1.1\r\nHost: " + host + ":" + address.getPort() + "\r\n" + header
                    + "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return Integer.parseInt(answer.substring(9));
        }
    }

    private void restart() throws Exception {
        stop();
        start();
    }

    private Answer send(String path, String body, Map<String, String> headers) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path))
                    .POST(HttpRequest.BodyPublishers.ofString(body));
            headers.forEach(request::header);
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), Json.ours(response.body()));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Answer signed(String action, String body) {
        return send("/" + action, body, signature("/" + action, body, "execute-api", KEYS.secret(), Clock.systemUTC()));
    }

    private Map<String, String> signature(String path, String body, String service, String secret, Clock clock) {
        SdkHttpRequest plain = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(URI.create(server.address() + path))
                .build();
        var signed = AwsV4HttpSigner.create()
                .sign(r -> r.identity(AwsCredentialsIdentity.create(KEYS.id(), secret))
                        .request(plain)
                        .payload(ContentStreamProvider.fromUtf8String(body))
                        .putProperty(HttpSigner.SIGNING_CLOCK, clock)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-west-1"));
        Map<String, String> headers = new java.util.TreeMap<>();
        signed.request().headers().forEach((name, values) -> {
            if (!name.equals("Host") && !name.equals("Content-Length")) {
                headers.put(name, values.getFirst());
            }
        });
        return headers;
    }

    private static JWTClaimsSet.Builder claims(String scope) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("elt")
                .subject("alice")
                .claim("scope", scope)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    private static String token(JWTClaimsSet claims, RSAKey with) throws JOSEException {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build(), claims);
        jwt.sign(new RSASSASigner(with));
        return jwt.serialize();
    }

    private Answer byToken(String action, String body, String token) {
        return send("/jwt/" + action, body, Map.of("Authorization", "Bearer " + token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"execute-api", "elt"})
    void aSignatureOfTheKeysItRunsWithIsAccepted(String service) {
        assertThat(send(
                                "/ListPipelines",
                                "{}",
                                signature("/ListPipelines", "{}", service, KEYS.secret(), Clock.systemUTC()))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aBadSignatureIsRefused() {
        Clock now = Clock.systemUTC();
        String path = "/ListPipelines";
        assertThat(send(path, "{}", Map.of()).status()).as("none").isEqualTo(401);
        assertThat(send(path, "{}", signature(path, "{}", "s3", KEYS.secret(), now))
                        .status())
                .as("another service")
                .isEqualTo(403);
        assertThat(send(path, "{}", signature(path, "{}", "elt", "guess", now)).status())
                .as("another secret")
                .isEqualTo(403);
        assertThat(send(path, "{ }", signature(path, "{}", "elt", KEYS.secret(), now))
                        .status())
                .as("another body")
                .isEqualTo(403);
        assertThat(send("/ListRuns", "{}", signature(path, "{}", "elt", KEYS.secret(), now))
                        .status())
                .as("another action")
                .isEqualTo(403);
        for (long seconds : List.of(-301L, 310L)) {
            Clock other = Clock.offset(now, Duration.ofSeconds(seconds));
            assertThat(send(path, "{}", signature(path, "{}", "elt", KEYS.secret(), other))
                            .status())
                    .as("%d s", seconds)
                    .isEqualTo(403);
        }
        Clock earlier = Clock.offset(now, Duration.ofMinutes(-4));
        assertThat(send(path, "{}", signature(path, "{}", "elt", KEYS.secret(), earlier))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTokenMayDoWhatItsScopeSays() throws Exception {
        signed("CreatePipeline", ORDERS);
        String runId =
                signed("StartRun", "{\"pipelineName\": \"orders-bronze\"}").text("runId");
        String reader = token(claims("elt:DescribeRun").build(), key);
        assertThat(byToken("DescribeRun", "{\"runId\": \"" + runId + "\"}", reader)
                        .status())
                .isEqualTo(200);
        Answer refused = byToken("StartRun", "{\"pipelineName\": \"orders-bronze\"}", reader);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text("code")).isEqualTo("AccessDenied");
        String starter = token(claims("x elt:StartRun elt:StopRun").build(), key);
        assertThat(byToken("StopRun", "{\"runId\": \"" + runId + "\"}", starter).status())
                .isEqualTo(200);
        String second = byToken("StartRun", "{\"pipelineName\": \"orders-bronze\"}", starter)
                .text("runId");
        assertThat(byToken("DescribeRun", "{\"runId\": \"" + second + "\"}", reader)
                        .text("startedBy"))
                .isEqualTo("alice");
    }

    @Test
    void aBadTokenIsRefused() throws Exception {
        RSAKey other = new RSAKeyGenerator(2048).keyID("k1").generate();
        JWTClaimsSet good = claims("elt:ListRuns").build();
        SignedJWT byMac = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), good);
        byMac.sign(new MACSigner(key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
        String[] parts = token(good, key).split("\\.", -1);
        List<String> bad = List.of(
                "",
                "nonsense",
                new PlainJWT(good).serialize(),
                byMac.serialize(),
                token(good, other),
                parts[0] + "." + parts[1] + ".",
                token(claims("elt:ListRuns").issuer("https://other.example").build(), key),
                token(claims("elt:ListRuns").audience("other").build(), key),
                token(claims("elt:ListRuns").expirationTime(null).build(), key),
                token(
                        claims("elt:ListRuns")
                                .expirationTime(Date.from(Instant.now().minusSeconds(2)))
                                .build(),
                        key));
        for (String token : bad) {
            Answer answer = byToken("ListRuns", "{}", token);
            assertThat(answer.status()).as(token).isEqualTo(401);
            assertThat(answer.text("code")).isEqualTo("Unauthenticated");
        }
        assertThat(send("/jwt/ListRuns", "{}", Map.of()).status()).isEqualTo(401);
        assertThat(byToken("ListRuns", "{}", token(good, key)).status()).isEqualTo(200);
    }

    @Test
    void ordersBronzeRunsUntilItIsReportedWhateverBecomesOfTheServer() throws Exception {
        assertThat(signed("CreatePipeline", ORDERS).status()).isEqualTo(200);
        Answer started = signed("StartRun", "{\"pipelineName\": \"orders-bronze\"}");
        assertThat(started.text("status")).isEqualTo("RUNNING");
        String run = "{\"runId\": \"" + started.text("runId") + "\"}";
        assertThat(signed("DescribeRun", run).text("status")).isEqualTo("RUNNING");
        restart();
        assertThat(signed("DescribeRun", run).text("status")).isEqualTo("RUNNING");
        String report = "{\"runId\": \"" + started.text("runId") + "\", \"status\": \"SUCCEEDED\"}";
        Answer reported = signed("ReportRun", report);
        assertThat(reported.text("status")).isEqualTo("SUCCEEDED");
        assertThat(reported.text("startedBy")).isEqualTo("AKIDEXAMPLE");
        assertThat(signed("ReportRun", report.replace("SUCCEEDED", "FAILED")).status())
                .isEqualTo(409);
        assertThat(signed("DescribeRun", run)).isEqualTo(new Answer(200, reported.json()));
    }

    /** Files of records, and what must come of them: by folder, the lines. */
    private Map<String, Set<String>> archive(int files, int records) throws IOException {
        Random random = new Random(5);
        Map<String, Set<String>> truth = new java.util.TreeMap<>();
        Path raw = Files.createDirectories(work.resolve("raw"));
        for (int f = 0; f < files; f++) {
            StringBuilder text = new StringBuilder();
            for (int r = 0; r < records; r++) {
                String type = "type-" + random.nextInt(3);
                String tenant = "t" + random.nextInt(4);
                String line =
                        "{\"event_type\":\"%s\",\"tenant_id\":\"%s\",\"time\":\"2021-10-0%dT00:00:00Z\",\"n\":%d.%d0}"
                                .formatted(type, tenant, 1 + random.nextInt(3), f, r);
                text.append(line).append('\n');
                truth.computeIfAbsent(type + "/p_tenant_id=" + tenant, k -> new HashSet<>())
                        .add(line);
            }
            Files.writeString(raw.resolve("f%03d.json".formatted(f)), text);
        }
        return truth;
    }

    private Map<String, Set<String>> landed() throws IOException {
        Map<String, Set<String>> found = new java.util.TreeMap<>();
        Path lake = work.resolve("lake");
        try (Stream<Path> files = Files.walk(lake)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Set<String> lines = found.computeIfAbsent(
                        lake.relativize(file).subpath(0, 2).toString(), k -> new HashSet<>());
                for (String line : Files.readAllLines(file)) {
                    assertThat(lines.add(line)).as("once: " + line).isTrue();
                }
            }
        }
        return found;
    }

    private void createCopy() {
        Answer created = signed("CreatePipeline", """
                {"name": "gdpr", "source": "raw", "sink": "lake",
                 "transform": {"namespaceFields": "event_type", "batchPartitionFields": "tenant_id", "batchTimeFields": "time"}}""");
        assertThat(created.status()).as(created.json().toString()).isEqualTo(200);
        assertThat(created.text("source")).isEqualTo(work.resolve("raw").toString());
    }

    private Answer watch(String runId) throws InterruptedException {
        Answer run = signed("DescribeRun", "{\"runId\": \"" + runId + "\"}");
        while (run.text("status").equals("RUNNING") || run.text("status").equals("STOPPING")) {
            Thread.sleep(100); // between looks: nothing rests on how long
            run = signed("DescribeRun", "{\"runId\": \"" + runId + "\"}");
        }
        return run;
    }

    @Test
    void createStartWatchSucceedAndEveryRecordIsInTheSink() throws Exception {
        Map<String, Set<String>> truth = archive(20, 50);
        createCopy();
        String runId = signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId");
        restart(); // the run does not depend on it
        Answer run = watch(runId);
        assertThat(run.text("status")).as(run.json().toString()).isEqualTo("SUCCEEDED");
        assertThat(run.json().get("recordsCopied").asLong()).isEqualTo(1_000);
        assertThat(run.json().get("objectsCopied").asLong()).isEqualTo(20);
        assertThat(run.text("digest")).startsWith("1000:");
        assertThat(landed()).isEqualTo(truth);
        String report = Files.readString(Path.of(URI.create(run.text("report"))));
        assertThat(report).contains("\"event\":\"summary\"").contains("\"records_copied\":1000");
        Answer again = watch(signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId"));
        assertThat(again.json().get("recordsCopied").asLong()).isZero();
        assertThat(landed()).isEqualTo(truth);
    }

    @Test
    void aKilledRunTurnsFailedAndTheNextGoesOn() throws Exception {
        Map<String, Set<String>> truth = archive(60, 50);
        createCopy();
        String runId = signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId");
        String worker = new Runs(registry.store(), Clock.systemUTC())
                .find(runId)
                .orElseThrow()
                .worker()
                .orElseThrow();
        ProcessHandle process = ProcessHandle.of(Long.parseLong(worker.substring(0, worker.indexOf(' '))))
                .orElseThrow();
        process.destroyForcibly();
        process.onExit().get();
        Answer run = watch(runId);
        assertThat(run.text("status")).isEqualTo("FAILED");
        assertThat(run.text("lastError")).contains("gone");
        Answer next = watch(signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId"));
        assertThat(next.text("status")).as(next.json().toString()).isEqualTo("SUCCEEDED");
        assertThat(landed()).isEqualTo(truth);
    }

    @Test
    void aRunThatIsStoppedEndsStoppedAndTheNextGoesOn() throws Exception {
        Map<String, Set<String>> truth = archive(60, 50);
        createCopy();
        String runId = signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId");
        assertThat(signed("StopRun", "{\"runId\": \"" + runId + "\"}").text("status"))
                .isEqualTo("STOPPING");
        assertThat(watch(runId).text("status")).isEqualTo("STOPPED");
        assertThat(watch(signed("StartRun", "{\"pipelineName\": \"gdpr\"}").text("runId"))
                        .text("status"))
                .isEqualTo("SUCCEEDED");
        assertThat(landed()).isEqualTo(truth);
    }

    @Test
    void fiftyStartsAtOnceOverHttpGiveOneRun() throws Exception {
        signed("CreatePipeline", ORDERS);
        List<Answer> same = atOnce(50, i -> "{\"pipelineName\": \"orders-bronze\", \"clientToken\": \"one\"}");
        assertThat(new HashSet<>(same)).hasSize(1);
        assertThat(same.getFirst().status()).isEqualTo(200);
        signed("StopRun", "{\"runId\": \"" + same.getFirst().text("runId") + "\"}");
        List<Answer> different =
                atOnce(50, i -> "{\"pipelineName\": \"orders-bronze\", \"clientToken\": \"other-" + i + "\"}");
        assertThat(different).filteredOn(a -> a.status() == 200).hasSize(1);
        assertThat(different).filteredOn(a -> a.status() == 409).hasSize(49);
        assertThat(different)
                .filteredOn(a -> a.status() == 409)
                .allMatch(a -> a.text("code").equals("PipelineBusy"));
    }

    private List<Answer> atOnce(int calls, java.util.function.IntFunction<String> body) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Answer>> answers = new ArrayList<>();
        List<Answer> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(calls)) {
            for (int i = 0; i < calls; i++) {
                String request = body.apply(i);
                answers.add(threads.submit(() -> {
                    go.await();
                    return signed("StartRun", request);
                }));
            }
            go.countDown();
            for (Future<Answer> answer : answers) {
                all.add(answer.get());
            }
        }
        return all;
    }
}
