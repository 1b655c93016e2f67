package dev.stet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.aws.s3.S3Stores;
import dev.stet.aws.s3.StoreOptions;
import dev.stet.aws.s3.StubS3;
import dev.stet.aws.s3.StubS3.Op;
import dev.stet.run.Ledgers;
import dev.stet.run.LocalEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the command tells of S3: events, exit codes, and the line that names what is missing. The real engine, a server that does as it is told. */
class S3CommandTest {
    private static final String RECORD = "{\"n\":1}";

    @TempDir
    private Path work;

    private final StubS3 stub = new StubS3();
    private final S3Stores stores = new S3Stores(
            StoreOptions.DEFAULT,
            () -> new AwsAccess(new FreshCredentials(
                    () -> StaticCredentialsProvider.create(AwsBasicCredentials.create("KEY", "secret")))));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void stop() {
        stores.close();
        stub.close();
    }

    private int stet(String... args) {
        out.reset();
        err.reset();
        PrintStream o = new PrintStream(out, true, UTF_8);
        PrintStream e = new PrintStream(err, true, UTF_8);
        Surroundings surroundings = new Surroundings(
                o, e, work, _ -> Optional.empty(), new Terminal(), () -> new LocalEngine(stores), Ledgers.NONE);
        return new Cli(surroundings).run(args);
    }

    /** A copy to a directory, with events on standard output. */
    private int copy(String source, String... more) {
        String[] args = ("copy " + source + " sink --namespace n --state state --threads 2 --memory 32m --output json"
                        + " --region us-east-1 --endpoint-url " + stub.endpoint() + " " + String.join(" ", more))
                .strip()
                .split(" ");
        return stet(args);
    }

    private void put(String key, String content) {
        stub.objects().put(key, content.getBytes(UTF_8));
    }

    private List<JsonNode> events(String kind) {
        JsonMapper mapper = new JsonMapper();
        return out.toString(UTF_8)
                .lines()
                .map(mapper::readTree)
                .filter(e -> e.get("event").asString().equals(kind))
                .toList();
    }

    private JsonNode summary() {
        assertThat(events("summary")).as(err.toString(UTF_8)).hasSize(1);
        return events("summary").getFirst();
    }

    private static String field(JsonNode event, String name) {
        return event.get(name).asString();
    }

    @Test
    void eachObjectThatCannotBeReadIsOneEventAndTheExitCodeSaysSo() {
        for (String key : List.of("archived", "denied", "encrypted", "gone", "there")) {
            put("raw/" + key, RECORD);
        }
        Map<String, StubS3.Fault> faults = Map.of(
                "raw/archived", StubS3.error(403, "InvalidObjectState", "The object is in the archive"),
                "raw/denied", StubS3.error(403, "AccessDenied", "Access Denied"),
                "raw/encrypted", StubS3.error(403, "AccessDenied", "no identity-based policy allows kms:Decrypt"),
                "raw/gone", StubS3.error(404, "NoSuchKey", "The specified key does not exist."));
        stub.always(
                Op.GET,
                call -> faults.containsKey(call.key()) && faults.get(call.key()).meets(call));

        assertThat(copy("s3://devices/raw/")).isEqualTo(3);
        assertThat(events("unreadable"))
                .extracting(e -> field(e, "source") + " " + field(e, "reason"))
                .containsExactlyInAnyOrder(
                        "archived archived", "denied access_denied", "encrypted access_denied", "gone deleted");
        assertThat(events("unreadable"))
                .allSatisfy(e -> assertThat(field(e, "message")).contains("s3://devices/raw/" + field(e, "source")));
        assertThat(events("unreadable").stream().filter(e -> field(e, "source").equals("encrypted")))
                .singleElement()
                .satisfies(e ->
                        assertThat(field(e, "message")).contains("kms:Decrypt").doesNotContain("requester"));
        assertThat(summary().get("objects_unreadable").asInt()).isEqualTo(4);
        assertThat(summary().get("objects_copied").asInt()).isEqualTo(1);

        stub.always(Op.GET, _ -> false);
        stub.objects().remove("raw/gone");
        assertThat(copy("s3://devices/raw/"))
                .as("the next run tries them again")
                .isZero();
        assertThat(summary().get("objects_copied").asInt()).isEqualTo(3);
        assertThat(summary().get("objects_unreadable").asInt()).isZero();
    }

    @Test
    void anObjectReplacedAfterItWasCopiedIsOneEventAndCopiedAnew() {
        put("raw/a", RECORD);
        put("raw/b", RECORD);
        assertThat(copy("s3://devices/raw/")).isZero();
        assertThat(events("replaced")).isEmpty();
        put("raw/b", "{\"n\":2}");
        assertThat(copy("s3://devices/raw/")).isZero();
        assertThat(events("replaced"))
                .singleElement()
                .satisfies(e -> assertThat(field(e, "source")).isEqualTo("b"));
        assertThat(summary().get("records_copied").asInt()).isEqualTo(1);
        assertThat(copy("s3://devices/raw/")).isZero();
        assertThat(events("replaced")).isEmpty();
    }

    /** As a requester-pays bucket of somebody else answers. */
    private void wantPayer() {
        for (Op op : List.of(Op.LIST, Op.GET, Op.HEAD)) {
            stub.always(op, call -> {
                boolean pays = "requester".equals(call.headers().get("x-amz-request-payer"));
                if (!pays) {
                    call.error(403, "AccessDenied", "Access Denied");
                }
                return !pays;
            });
        }
    }

    @Test
    void withoutRequesterPaysADeniedListNamesTheOptionAndWithItEveryCallSaysIt() {
        put("raw/a", RECORD);
        put("raw2/b", RECORD);
        wantPayer();
        assertThat(copy("s3://devices/raw")).isEqualTo(1);
        assertThat(err.toString(UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("stet: s3://devices/raw: access denied, which needs s3:ListBucket")
                .contains("--requester-pays");
        assertThat(copy("s3://devices/raw", "--requester-pays"))
                .as(err.toString(UTF_8))
                .isZero();
        assertThat(summary().get("records_copied").asInt()).isEqualTo(2);
    }

    @Test
    void requesterPaysInTheFileIsForTheSourceAloneAndNeverSentToTheSink() throws IOException {
        put("raw/a", RECORD);
        Files.writeString(work.resolve("stet.yml"), """
                pipelines:
                  p: { type: copy, data_source: data_sources.raw, data_sink: data_sinks.lake }
                data_sources:
                  raw: { S3: { s3_bucket: devices, s3_prefix: raw/, requester_pays: true } }
                data_sinks:
                  lake: { S3: { s3_bucket: devices, s3_prefix: lake } }
                """);
        String flags = "sync --once --state state --memory 32m --region us-east-1 --endpoint-url " + stub.endpoint();
        assertThat(stet(flags.split(" "))).as(err.toString(UTF_8)).isZero();
        for (Op op : Op.values()) {
            assertThat(stub.calls(op)).as(op.toString()).allSatisfy(call -> {
                String place = call.key().isEmpty() ? call.query().getOrDefault("prefix", "") : call.key();
                assertThat("requester".equals(call.headers().get("x-amz-request-payer")))
                        .as(place)
                        .isEqualTo(place.startsWith("raw"));
            });
        }
        assertThat(stub.objects().keySet()).anyMatch(k -> k.startsWith("lake/raw/"));
    }

    @Test
    void aPrefixThatTakesASiblingFolderTooIsANote() {
        put("raw/a", RECORD);
        put("raw-2020/b", RECORD);
        assertThat(copy("s3://devices/raw")).isZero();
        assertThat(events("note"))
                .extracting(e -> field(e, "message"))
                .containsExactly("s3://devices/raw also takes s3://devices/raw-2020/;"
                        + " for the folder alone write s3://devices/raw/");
        assertThat(summary().get("objects_copied").asInt()).isEqualTo(2);
    }
}
