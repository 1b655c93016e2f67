package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.stet.config.ConfigException;
import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The registry behind an API Gateway HTTP API. The gateway has checked signature or token; who it was stands in the request context, and a token's scopes are
 * checked here once more. Settings: {@code STET_TABLE}, {@code STET_RUN_STATE_MACHINE} (an ARN).
 */
public final class RegistryHandler implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private final Function<Context, RegistryApi> api;

    /** For Lambda. */
    public RegistryHandler() throws ConfigException {
        this(RegistryProcess.of(System.getenv())::service);
    }

    /** @param service asked at each request */
    RegistryHandler(Supplier<RegistryService> service) {
        this.api = context -> new RegistryApi(service.get(), fault -> log(context, fault));
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
