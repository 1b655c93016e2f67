package dev.stet.registry;

import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The registry over HTTP, whoever speaks HTTP: from method, path and body to status and body. Thread-safe. */
public final class RegistryApi {
    /** As much as any request needs, and no more than a handler should hold. */
    public static final int MAX_BODY_BYTES = 1 << 20;

    private static final String JWT = "/jwt/";

    private final RegistryService service;
    private final Consumer<Throwable> faults;

    /** @param faults hears of faults of ours, which callers are told of without detail */
    public RegistryApi(RegistryService service, Consumer<Throwable> faults) {
        this.service = service;
        this.faults = faults;
    }

    /** What came in. */
    public record Request(String method, String path, ByteBuffer body) {
        /** Whether the path is one of those that take tokens. */
        public boolean byToken() {
            return path.startsWith(JWT);
        }
    }

    /** What goes out. @param headers beside {@code Content-Type: application/json} */
    public record Response(int status, Map<String, String> headers, String body) {}

    /** Proves who calls; asked only for paths that are there. */
    public interface Authentication {
        Caller caller() throws RegistryException;
    }

    public Response answer(Request request, Authentication authentication) {
        try {
            Action action = action(request);
            Caller caller = authentication.caller();
            caller.require(action);
            return new Response(200, Map.of(), Json.text(service.call(action, body(request), caller)));
        } catch (RegistryException e) {
            return refusal(e);
        } catch (UnknownOutcomeException e) {
            faults.accept(e);
            return refusal(new RegistryException(
                    ErrorCode.Internal,
                    "nobody knows whether this was done; the same request with the same client token finds out"));
        } catch (IOException | RuntimeException e) {
            faults.accept(e);
            return refusal(new RegistryException(ErrorCode.Internal, "the service failed; try again"));
        }
    }

    private static Action action(Request request) throws RegistryException {
        String name = request.path()
                .substring(
                        request.byToken()
                                ? JWT.length()
                                : Math.min(1, request.path().length()));
        Optional<Action> action = Action.named(name);
        if (action.isEmpty()) {
            throw new RegistryException(
                    ErrorCode.NotFound,
                    "there is no such path; POST /{Action} or /jwt/{Action}, for instance /StartRun");
        }
        if (!request.method().equals("POST")) {
            throw new RegistryException(ErrorCode.MethodNotAllowed, "every action is a POST");
        }
        return action.get();
    }

    private static ObjectNode body(Request request) throws RegistryException {
        if (request.body().remaining() > MAX_BODY_BYTES) {
            throw new RegistryException(ErrorCode.TooLarge, "the body is longer than " + MAX_BODY_BYTES + " bytes");
        }
        try {
            return Json.parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(request.body().duplicate())
                    .toString());
        } catch (CharacterCodingException e) {
            throw new RegistryException(ErrorCode.InvalidRequest, "the body is not UTF-8");
        }
    }

    /** A refusal as the contract shows it. */
    public static Response refusal(RegistryException e) {
        ObjectNode json = Json.object().put("code", e.code().name()).put("message", e.text());
        e.field().ifPresent(f -> json.put("field", f));
        Map<String, String> headers = switch (e.code()) {
            case MethodNotAllowed -> Map.of("Allow", "POST");
            case TooManyRequests -> Map.of("Retry-After", "1");
            case Unauthenticated -> Map.of("WWW-Authenticate", "Bearer");
            default -> Map.of();
        };
        return new Response(e.code().status(), headers, Json.text(json));
    }
}
