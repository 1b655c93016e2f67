package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.stet.aws.AwsAccess;
import dev.stet.aws.AwsSettings;
import dev.stet.aws.dynamodb.DynamoDb;
import dev.stet.config.ConfigException;
import dev.stet.registry.Caller;
import dev.stet.registry.Contract;
import dev.stet.registry.DynamoDbRegistryStore;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.SfnClientBuilder;

/**
 * The registry behind an API Gateway HTTP API. The gateway has checked signature or token; who it was stands in the request context, and a token's scopes are
 * checked here once more. Settings: {@code STET_TABLE}, {@code STET_RUN_STATE_MACHINE} (an ARN).
 */
public final class RegistryHandler implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private final Function<Context, RegistryApi> api;

    /** For Lambda. */
    public RegistryHandler() throws ConfigException {
        this(service(System.getenv()));
    }

    RegistryHandler(RegistryService service) {
        this.api = context -> new RegistryApi(service, fault -> log(context, fault));
    }

    /** The registry over table and state machine of an environment. */
    static RegistryService service(Map<String, String> environment) throws ConfigException {
        String table = setting(environment, "STET_TABLE");
        String stateMachine = setting(environment, "STET_RUN_STATE_MACHINE");
        AwsAccess access = AwsAccess.withDefaults();
        Clock clock = Clock.systemUTC();
        DynamoDbRegistryStore store = new DynamoDbRegistryStore(new DynamoDb(access).documents(table));
        SfnClientBuilder builder = SfnClient.builder()
                .httpClient(access.http())
                .credentialsProvider(access.credentials())
                .region(AwsSettings.region(Optional.empty()).orElse(Region.US_EAST_1));
        Optional<URI> endpoint = AwsSettings.endpoint("SFN", Optional.empty());
        endpoint.ifPresent(builder::endpointOverride);
        StateMachineLauncher launcher = new StateMachineLauncher(builder.build(), stateMachine);
        return new RegistryService(Contract.load(), store, launcher, Path.of("/"), clock);
    }

    private static String setting(Map<String, String> environment, String name) throws ConfigException {
        Optional<String> value = Optional.ofNullable(environment.get(name)).filter(v -> !v.isBlank());
        if (value.isEmpty()) {
            throw new ConfigException(name + " is not set");
        }
        return value.get();
    }

    private static void log(Context context, Throwable fault) {
        Optional.ofNullable(context).ifPresent(c -> c.getLogger().log("registry: " + fault));
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        RequestContext from = event.getRequestContext();
        RegistryApi.Response answer = api.apply(context)
                .answer(
                        new RegistryApi.Request(from.getHttp().getMethod(), path(event), body(event)),
                        () -> caller(from));
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.put("Content-Type", "application/json");
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(answer.status())
                .withHeaders(headers)
                .withBody(answer.body())
                .build();
    }

    /** Without the stage, which only the default one leaves out. */
    private static String path(APIGatewayV2HTTPEvent event) {
        String path = Optional.ofNullable(event.getRawPath()).orElse("/");
        String stage =
                "/" + Optional.ofNullable(event.getRequestContext().getStage()).orElse("$default");
        return path.startsWith(stage + "/") ? path.substring(stage.length()) : path;
    }

    private static ByteBuffer body(APIGatewayV2HTTPEvent event) {
        String body = Optional.ofNullable(event.getBody()).orElse("");
        return ByteBuffer.wrap(
                event.getIsBase64Encoded() ? Base64.getDecoder().decode(body) : body.getBytes(StandardCharsets.UTF_8));
    }

    private static Caller caller(RequestContext context) throws RegistryException {
        Optional<RequestContext.Authorizer> authorizer = Optional.ofNullable(context.getAuthorizer());
        Optional<RequestContext.IAM> iam = authorizer.map(RequestContext.Authorizer::getIam);
        if (iam.isPresent()) {
            return new Caller(Optional.ofNullable(iam.get().getAccessKey()).orElse("unnamed"), Optional.empty());
        }
        Optional<RequestContext.Authorizer.JWT> jwt = authorizer.map(RequestContext.Authorizer::getJwt);
        if (jwt.isPresent()) {
            Map<String, String> claims =
                    Optional.ofNullable(jwt.get().getClaims()).orElse(Map.of());
            return new Caller(claims.getOrDefault("sub", "unnamed"), Optional.of(scopes(claims, jwt.get())));
        }
        throw new RegistryException(ErrorCode.Unauthenticated, "nobody has proven who calls");
    }

    /** Those the gateway matched, and what the claims say: {@code "a b"}, or {@code "[a b]"} of a list. */
    private static Set<String> scopes(Map<String, String> claims, RequestContext.Authorizer.JWT jwt) {
        Set<String> scopes = new HashSet<>();
        Optional.ofNullable(jwt.getScopes()).ifPresent(s -> s.forEach(each -> addWords(scopes, each)));
        Optional.ofNullable(claims.get("scope")).ifPresent(s -> addWords(scopes, s));
        Optional.ofNullable(claims.get("scp")).ifPresent(s -> addWords(scopes, s));
        return scopes;
    }

    private static void addWords(Collection<String> scopes, String text) {
        for (String word : text.replaceAll("[\\[\\],]", " ").split(" ", -1)) {
            if (!word.isEmpty()) {
                scopes.add(word);
            }
        }
    }
}
