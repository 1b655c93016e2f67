package dev.stet.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.stet.aws.s3.S3Clients;
import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.store.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.regions.Region;

/** The SDK's own settings are honoured, and nobody else is asked. System properties stand for the environment. */
@Isolated
class AwsSettingsTest {
    private final Map<String, Optional<String>> before = new HashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = LocalHttp.create();
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] empty = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
                    .getBytes(StandardCharsets.US_ASCII);
            boolean expired = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                    .contains("OLDKEY");
            byte[] answer =
                    expired ? "<Error><Code>ExpiredToken</Code></Error>".getBytes(StandardCharsets.US_ASCII) : empty;
            if (expired) {
                writeCredentials("NEWKEY");
            }
            exchange.sendResponseHeaders(expired ? 400 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        set("aws.sharedCredentialsFile", folder.resolve("credentials").toString());
        set("aws.configFile", folder.resolve("config").toString());
        // Whoever asks for instance metadata is seen.
        set("aws.ec2MetadataServiceEndpoint", endpoint() + "/metadata");
    }

    @AfterEach
    void stop() {
        server.stop(0);
        before.forEach((name, value) ->
                value.ifPresentOrElse(v -> System.setProperty(name, v), () -> System.clearProperty(name)));
    }

    private void set(String name, String value) {
        before.putIfAbsent(name, Optional.ofNullable(System.getProperty(name)));
        System.setProperty(name, value);
    }

    private String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void writeCredentials(String key) {
        try {
            Files.writeString(
                    folder.resolve("credentials"),
                    "[default]\naws_access_key_id = " + key + "\naws_secret_access_key = s\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void list(Location.S3 location) throws Exception {
        try (AwsAccess access = AwsAccess.withDefaults();
                S3Clients clients = new S3Clients(access)) {
            assertThat(clients.source(location).list(KeyRange.ALL).next()).isEmpty();
        }
    }

    @Test
    void withKeysSetOnlyTheEndpointIsAsked() throws Exception {
        set("aws.accessKeyId", "KEY");
        set("aws.secretAccessKey", "secret");
        set("aws.endpointUrl", endpoint());
        list(new Location.S3("bucket", "", Optional.empty(), Optional.empty(), false));
        assertThat(asked)
                .isNotEmpty()
                .allMatch(a -> a.startsWith("/bucket AWS4-HMAC-SHA256 Credential=KEY/") || a.startsWith("/bucket/ "));
        assertThat(asked).allMatch(a -> a.contains("/us-east-1/s3/"));
    }

    @Test
    void theProfileGivesRegionEndpointAndKeys() throws Exception {
        Files.writeString(
                folder.resolve("config"), "[default]\nregion = eu-west-3\nendpoint_url = " + endpoint() + "\n");
        writeCredentials("PROFILEKEY");
        list(new Location.S3("bucket", "", Optional.empty(), Optional.empty(), false));
        assertThat(asked)
                .isNotEmpty()
                .allMatch(a -> a.contains("Credential=PROFILEKEY/") && a.contains("/eu-west-3/s3/"));
        asked.clear();
        list(new Location.S3("bucket", "", Optional.of("eu-north-1"), Optional.of(endpoint()), false));
        assertThat(asked).isNotEmpty().allMatch(a -> a.contains("/eu-north-1/s3/"));
    }

    @Test
    void keysThatExpireAreReadAgainFromTheProfile() throws Exception {
        writeCredentials("OLDKEY");
        list(new Location.S3("bucket", "", Optional.of("us-east-1"), Optional.of(endpoint()), false));
        assertThat(asked.getFirst()).contains("OLDKEY");
        assertThat(asked.getLast()).contains("NEWKEY");
    }

    @Test
    void servicesOfAProfileComeFirst() throws Exception {
        Files.writeString(
                folder.resolve("config"),
                "[default]\nservices = local\nendpoint_url = http://a:1\n[services local]\ns3 =\n  endpoint_url = http://b:2\n");
        assertThat(AwsSettings.endpoint("S3", Optional.empty())).contains(URI.create("http://b:2"));
        assertThat(AwsSettings.endpoint("DYNAMODB", Optional.empty())).contains(URI.create("http://a:1"));
        set("aws.endpointUrlS3", "http://c:3");
        assertThat(AwsSettings.endpoint("S3", Optional.empty())).contains(URI.create("http://c:3"));
        assertThat(AwsSettings.endpoint("S3", Optional.of("http://d:4"))).contains(URI.create("http://d:4"));
    }

    @Test
    void anEndpointThatIsNoUrlIsAConfigurationError() {
        assertThatThrownBy(() -> AwsSettings.endpoint("S3", Optional.of("localhost:4566")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("localhost:4566");
        assertThat(AwsSettings.region(Optional.empty())).isEmpty();
        assertThat(AwsSettings.region(Optional.of("eu-west-1"))).contains(Region.EU_WEST_1);
    }
}
