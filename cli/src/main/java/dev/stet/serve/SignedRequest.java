package dev.stet.serve;

import com.sun.net.httpserver.HttpExchange;
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
 */
public record SignedRequest(String method, String path, String query, Map<String, List<String>> headers, byte[] body) {
    static SignedRequest of(HttpExchange exchange, byte[] body) {
        Map<String, List<String>> headers = new TreeMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        return new SignedRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""),
                headers,
                body);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name)).filter(v -> !v.isEmpty()).map(List::getFirst);
    }
}
