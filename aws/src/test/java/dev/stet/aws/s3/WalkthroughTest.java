package dev.stet.aws.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stet.api.Config;
import dev.stet.api.Event;
import dev.stet.api.Outcome;
import dev.stet.api.Outcome.Ending;
import dev.stet.api.Run;
import dev.stet.config.ConfigException;
import dev.stet.run.LocalEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.S3Object;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The walk-through's configuration files for S3 as they stand, with what must come of them. */
@ParameterizedClass
@EnumSource
class WalkthroughTest {
    private static final JsonMapper JSON = new JsonMapper();

    /** Where the files are taken from. */
    enum Inputs {
        /** Copies in this module. */
        OWN("src/test/resources/walkthrough"),
        /** Those beside the checkout. */
        BESIDE("shared/cases/walkthrough");

        private final String path;

        Inputs(String path) {
            this.path = path;
        }

        Optional<Path> find() {
            for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
                if (Files.isDirectory(dir.resolve(path))) {
                    return Optional.of(dir.resolve(path));
                }
            }
            return Optional.empty();
        }
    }

    @Parameter
    private Inputs files;

    @TempDir
    private Path work;

    private final S3Server server = Servers.miniStack();
    private Path walkthrough = Path.of("");

    @BeforeEach
    void fillTheBucketsThatTheFilesName() throws IOException {
        Optional<Path> found = files.find();
        assumeTrue(found.isPresent(), files.path + " is not there: skipped");
        walkthrough = found.get();
        empty("devices");
        empty("lake");
        upload("raw");
    }

    private void empty(String bucket) {
        S3Client owner = server.owner();
        try {
            var made = owner.createBucket(r -> r.bucket(bucket));
            assertThat(made).isNotNull();
        } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException e) {
            // Of the test before.
        }
        for (S3Object o : owner.listObjectsV2Paginator(r -> r.bucket(bucket)).contents()) {
            server.remove(bucket, o.key());
        }
    }

    private void upload(String folder) throws IOException {
        Path root = walkthrough.resolve(folder);
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path f : tree.filter(Files::isRegularFile).toList()) {
                server.put("devices", "raw/" + root.relativize(f), Files.readAllBytes(f));
            }
        }
    }

    private Outcome sync(String form) throws ConfigException, IOException {
        return sync(form, UnaryOperator.identity());
    }

    private Outcome sync(String form, UnaryOperator<String> edit) throws ConfigException, IOException {
        String yaml = Files.readString(walkthrough.resolve(form).resolve("skippr-s3.yml"));
        Path file = Files.writeString(work.resolve("skippr-s3.yml"), edit.apply(yaml));
        try (S3Stores stores = server.stores(StoreOptions.DEFAULT)) {
            return Run.of(Config.load(file.toString()), "gdpr_migration")
                    .state(work.resolve("state"))
                    .threads(2)
                    .memory(64L << 20)
                    .onEvent(event -> assertThat(event).isNotInstanceOf(Event.Unreadable.class))
                    .once(new LocalEngine(new AtServer(server, stores)));
        }
    }

    private JsonNode expected(String form) throws IOException {
        return JSON.readTree(Files.readString(walkthrough.resolve("expected.json")))
                .get(form);
    }

    private static Map<String, List<String>> lists(JsonNode node) {
        Map<String, List<String>> lists = new TreeMap<>();
        node.properties()
                .forEach(e -> lists.put(
                        e.getKey(),
                        e.getValue()
                                .valueStream()
                                .map(JsonNode::asString)
                                .sorted()
                                .toList()));
        return lists;
    }

    private Map<String, String> landed() {
        Map<String, String> objects = new HashMap<>();
        for (S3Object o : server.owner()
                .listObjectsV2Paginator(r -> r.bucket("lake").prefix("landing/"))
                .contents()) {
            objects.put(
                    o.key().substring("landing/".length()),
                    server.owner()
                            .getObjectAsBytes(r -> r.bucket("lake").key(o.key()))
                            .asUtf8String());
        }
        return objects;
    }

    /** Records by folder, and texts of the quarantine by reason. */
    private Map<String, List<String>> byFolder(boolean quarantine) {
        Map<String, List<String>> found = new TreeMap<>();
        landed().forEach((key, content) -> {
            String folder = key.substring(0, key.lastIndexOf('/'));
            if (key.startsWith("_quarantine/") == quarantine) {
                List<String> lines =
                        found.computeIfAbsent(folder.replace("_quarantine/reason=", ""), _ -> new ArrayList<>());
                content.lines()
                        .map(l -> quarantine ? JSON.readTree(l).get("text").asString() : l)
                        .forEach(lines::add);
                lines.sort(null);
            }
        });
        return found;
    }

    private void assertLanded(Map<String, List<String>> copied, Map<String, List<String>> quarantined) {
        assertThat(byFolder(false)).isEqualTo(copied);
        assertThat(byFolder(true)).isEqualTo(quarantined);
        assertThat(server.owner()
                        .listObjectsV2(r -> r.bucket("lake").prefix("_stet/"))
                        .contents())
                .extracting(S3Object::key)
                .noneMatch(k -> k.contains("/bundles/"));
    }

    private void landsAsExpectedAndTheSameAgainCopiesNothing(String form) throws Exception {
        Outcome first = sync(form);
        assertThat(first.ending()).isEqualTo(Ending.COMPLETE);
        assertThat(first.counters().objectsCopied()).isEqualTo(2);
        assertLanded(lists(expected(form).get("copied")), lists(expected(form).get("quarantined")));
        Map<String, String> before = landed();
        assertThat(sync(form).counters().recordsCopied()).isZero();
        assertThat(landed()).isEqualTo(before);
    }

    @Test
    void plain() throws Exception {
        landsAsExpectedAndTheSameAgainCopiesNothing("plain");
    }

    @Test
    void routed() throws Exception {
        landsAsExpectedAndTheSameAgainCopiesNothing("routed");
    }

    @Test
    void anObjectWhoseKeySortsBeforeAllOthersIsTheOnlyOneReadAndLandsInOneMoreObject() throws Exception {
        assertThat(sync("routed").counters().objectsCopied()).isEqualTo(2);
        Map<String, String> before = landed();
        upload("later");
        Outcome second = sync("routed");
        assertThat(second.counters().objectsCopied()).isEqualTo(1);
        assertThat(second.counters().recordsCopied()).isEqualTo(1);
        Map<String, String> after = landed();
        assertThat(after).containsAllEntriesOf(before).hasSize(before.size() + 1);
        after.keySet().removeAll(before.keySet());
        assertThat(after.keySet())
                .singleElement()
                .asString()
                .startsWith("door.opened/p_tenant_id=acme/p_year=2021/p_month=10/p_day=05/apply-");
        assertThat(after.values())
                .containsExactly(Files.readString(walkthrough.resolve("later/year=2021/month=09/firehose-0"), UTF_8)
                                .strip()
                        + "\n");
    }

    @Test
    void withoutATimePrefixTheTimeFoldersHaveNone() throws Exception {
        assertThat(sync("routed", yaml -> yaml.replaceAll("(?m)^ *time_partition_prefix:.*\n", ""))
                        .ending())
                .isEqualTo(Ending.COMPLETE);
        Map<String, List<String>> bare = new TreeMap<>();
        lists(expected("routed").get("copied"))
                .forEach((folder, lines) -> bare.put(folder.replaceAll("p_(year|month|day)=", "$1="), lines));
        assertLanded(bare, Map.of());
    }

    @Test
    void theFirstOfTheAlternativesWins() throws Exception {
        assertThat(sync(
                                "plain",
                                yaml -> yaml.replace(
                                        "detail.tenant_id,truck.tenant_id", "truck.tenant_id,detail.tenant_id"))
                        .ending())
                .isEqualTo(Ending.COMPLETE);
        Map<String, List<String>> reversed = new TreeMap<>();
        lists(expected("plain").get("copied"))
                .forEach((folder, lines) -> reversed.put(
                        folder.contains("p_month=02")
                                ? folder.replace("p_detail.tenant_id=acme", "p_truck.tenant_id=other")
                                : folder,
                        lines));
        assertLanded(reversed, lists(expected("plain").get("quarantined")));
    }

    @Test
    void aLostLedgerIsRefusedAndNothingIsWritten() throws Exception {
        assertThat(sync("routed").ending()).isEqualTo(Ending.COMPLETE);
        Map<String, String> before = landed();
        Files.move(work.resolve("state"), work.resolve("lost"));
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> sync("routed"))
                .withMessageContaining("s3://lake/landing/");
        assertThat(landed()).isEqualTo(before);
    }
}
