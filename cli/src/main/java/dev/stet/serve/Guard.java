package dev.stet.serve;

import com.sun.net.httpserver.HttpExchange;
import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryApi;
import dev.stet.registry.RegistryException;
import java.util.Optional;

/** Who may come in: signatures on {@code /{Action}}, tokens on {@code /jwt/{Action}}. */
public interface Guard {
    Caller caller(RegistryApi.Request request, HttpExchange exchange) throws RegistryException;

    /** Everyone on this machine. */
    static Guard open() {
        return (request, exchange) -> new Caller("anonymous", Optional.empty());
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
