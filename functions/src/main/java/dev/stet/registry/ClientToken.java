package dev.stet.registry;

import dev.stet.registry.RegistryStore.Document;
import dev.stet.registry.RegistryStore.Put;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What makes a call idempotent: the caller's token, and the request it was used for. The first call stores its answer in the same write as its effect; the
 * same call again gets that answer, and nothing happens.
 */
record ClientToken(String action, String token, String request) {
    static Optional<ClientToken> of(String action, ObjectNode request) {
        return request.optional("clientToken")
                .map(t -> new ClientToken(action, t.asString(), hash(Json.sorted(request))));
    }

    /**
     * The answer to the first call with this token.
     *
     * @throws RegistryException when that was another request
     */
    Optional<ObjectNode> answer(RegistryStore store) throws IOException, RegistryException {
        Optional<Document> used = store.find(id());
        if (used.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode stored = Json.ours(used.get().body());
        if (!stored.get("request").asString().equals(request)) {
            throw new RegistryException(
                    ErrorCode.ClientTokenReused,
                    "the client token was used for another " + action + "; take a new token for a new request",
                    Optional.of("clientToken"));
        }
        return Optional.of((ObjectNode) stored.get("answer"));
    }

    Put put(ObjectNode answer) {
        ObjectNode stored = Json.object().put("request", request);
        stored.set("answer", answer);
        return new Put(id(), 0, Json.text(stored));
    }

    private String id() {
        return "TOKEN#" + action + "#" + token;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
