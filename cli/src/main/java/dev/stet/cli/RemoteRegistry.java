package dev.stet.cli;

import dev.stet.aws.AwsSettings;
import dev.stet.config.ConfigException;
import dev.stet.registry.Action;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.regions.Region;
import tools.jackson.databind.node.ObjectNode;

/** The registry behind a URL: with a token, else signed by the AWS credentials of this process, else as it is. */
final class RemoteRegistry implements RegistryClient {
    private static final String SERVICE = "execute-api";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The JDK's client sets these itself. */
    private static final Set<String> RESTRICTED = Set.of("host", "content-length", "connection", "expect", "upgrade");

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final URI endpoint;
    private final Optional<String> region;
    private final Optional<String> token;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private RemoteRegistry(URI endpoint, Optional<String> region, Optional<String> token) {
        this.endpoint = endpoint;
        this.region = region;
        this.token = token;
    }

    static RemoteRegistry at(String endpoint, Optional<String> region, Optional<String> token) throws ConfigException {
        try {
            URI uri = new URI(endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null) {
                return new RemoteRegistry(uri, region, token);
            }
        } catch (java.net.URISyntaxException e) {
            // Said below.
        }
        throw new ConfigException("--endpoint: no URL such as https://host:port: " + endpoint);
    }

    @Override
    public ObjectNode call(Action action, ObjectNode request) throws RegistryException, IOException {
        byte[] body = Json.text(request).getBytes(StandardCharsets.UTF_8);
        URI uri = URI.create(endpoint + (token.isPresent() ? "/jwt/" : "/") + action.name());
        HttpRequest.Builder built =
                HttpRequest.newBuilder(uri).timeout(PATIENCE).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (token.isPresent()) {
            built.header("Authorization", "Bearer " + token.get()).header("Content-Type", "application/json");
        } else {
            sign(uri, body, built);
        }
        HttpResponse<String> response = send(built.build());
        ObjectNode answer = parse(response);
        if (response.statusCode() == 200) {
            return answer;
        }
        throw refusal(response.statusCode(), answer);
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (IOException e) {
            throw new IOException(
                    "no answer from " + endpoint + " ("
                            + Optional.ofNullable(e.getMessage()).orElse("connection refused") + ")",
                    e);
        }
    }

    private void sign(URI uri, byte[] body, HttpRequest.Builder built) {
        SdkHttpRequest plain = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(uri)
                .putHeader("Content-Type", "application/json")
                .build();
        SdkHttpRequest ready = credentials()
                .<SdkHttpRequest>map(c -> {
                    SignedRequest signed = AwsV4HttpSigner.create()
                            .sign(r -> r.identity(c)
                                    .request(plain)
                                    .payload(ContentStreamProvider.fromByteArray(body))
                                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                                    .putProperty(AwsV4HttpSigner.REGION_NAME, regionName()));
                    return signed.request();
                })
                .orElse(plain);
        ready.headers().forEach((name, values) -> {
            if (!RESTRICTED.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(v -> built.header(name, v));
            }
        });
    }

    private String regionName() {
        return AwsSettings.region(region).map(Region::id).orElseGet(this::regionOfHost);
    }

    /** As in {@code ID.execute-api.REGION.amazonaws.com}. */
    private String regionOfHost() {
        List<String> labels = List.of(endpoint.getHost().split("\\.", -1));
        int service = labels.indexOf(SERVICE);
        return service >= 0 && service + 1 < labels.size() ? labels.get(service + 1) : "us-east-1";
    }

    /** A registry of this machine is no reason to ask the services of a cloud for credentials, which takes seconds where there is none. */
    private Optional<AwsCredentials> credentials() {
        AwsCredentialsProvider provider = LOOPBACK.contains(endpoint.getHost())
                ? AwsKeys.given()
                : DefaultCredentialsProvider.builder().build();
        try {
            return Optional.of(provider.resolveCredentials());
        } catch (SdkClientException e) {
            return Optional.empty(); // the registry may take calls that are not signed, or say what it takes
        }
    }

    private ObjectNode parse(HttpResponse<String> response) throws IOException {
        try {
            return Json.parse(response.body());
        } catch (RegistryException e) {
            throw new IOException(
                    endpoint + " is no registry: it answered " + response.statusCode() + " and no JSON", e);
        }
    }

    /** API Gateway itself refuses with {@code message} alone. */
    private static RegistryException refusal(int status, ObjectNode answer) {
        String given = answer.path("code").asString("");
        ErrorCode code = ErrorCode.Internal;
        for (ErrorCode known : ErrorCode.values()) {
            if (known.name().equals(given) || (given.isEmpty() && known.status() == status)) {
                code = known;
                break;
            }
        }
        String message = answer.path("message").asString("refused with status " + status);
        return new RegistryException(code, message, answer.optional("field").map(f -> f.asString()));
    }

    @Override
    public void close() {
        http.close();
    }
}
