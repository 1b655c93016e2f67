package dev.stet.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.RegistryException;
import java.util.Optional;
import java.util.Set;

/** Who may come in: signatures on {@code /{Action}}, tokens on {@code /jwt/{Action}}. */
public interface Guard {
    /** By what names this machine calls itself. */
    Set<String> LOCAL = Set.of("127.0.0.1", "localhost");

    Caller caller(RegistryApi.Request request, HttpExchange exchange) throws RegistryException;

    /**
     * Everyone on this machine, but no page in a browser: what a page sends has {@code Origin}, and by a name of its own for this address
     * it gives itself away in {@code Host}.
     */
    static Guard open() {
        return (request, exchange) -> {
            Headers headers = exchange.getRequestHeaders();
            String host =
                    Optional.ofNullable(headers.getFirst("Host")).orElse("").replaceFirst(":[0-9]+$", "");
            if (headers.containsKey("Origin") || !LOCAL.contains(host)) {
                throw new RegistryException(
                        ErrorCode.AccessDenied, "without authorisation, pages of a browser are not answered");
            }
            return new Caller("anonymous", Optional.empty());
        };
    }

    /** Each by what its path takes; what is not set up lets nobody in. */
    static Guard of(Optional<SignatureCheck> signatures, Optional<TokenCheck> tokens) {
        return (request, exchange) -> {
            if (request.byToken()) {
                return tokens.orElseThrow(() -> closed("tokens are not set up here; start with --jwt-issuer"))
                        .caller(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
            }
            return signatures
                    .orElseThrow(() -> closed("signatures are not set up here; start with AWS credentials"))
                    .caller(SignedRequest.of(exchange, request.body()));
        };
    }

    private static RegistryException closed(String message) {
        return new RegistryException(ErrorCode.Unauthenticated, message);
    }
}
