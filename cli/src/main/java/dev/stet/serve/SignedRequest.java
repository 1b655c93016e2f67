package dev.stet.serve;

import com.sun.net.httpserver.HttpExchange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a signature is made over.
 *
 * @param path and {@code query} as they were sent, encoded
 * @param headers by lower-case name
 * @param bodyHash SHA-256 in hex digits
 */
public record SignedRequest(
        String method, String path, String query, Map<String, List<String>> headers, String bodyHash) {
    static SignedRequest of(HttpExchange exchange, ByteBuffer body) {
        Map<String, List<String>> headers = new TreeMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        return new SignedRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""),
                headers,
                SignatureCheck.hash(body));
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name)).filter(v -> !v.isEmpty()).map(List::getFirst);
    }
}
