package dev.stet.serve;

import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Checks AWS Signature Version 4 in the {@code Authorization} header, as the specification describes it, against one set of credentials. The body is always
 * part of what is signed: {@code UNSIGNED-PAYLOAD} is refused. Thread-safe.
 */
public final class SignatureCheck {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final Set<String> SERVICES = Set.of("execute-api", "elt");
    private static final Duration STALE = Duration.ofMinutes(5);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Supplier<Keys> keys;
    private final Clock clock;

    /** Credentials. @param session token of temporary ones */
    public record Keys(String id, String secret, Optional<String> session) {}

    /** @param keys asked for each call: they may be renewed meanwhile */
    public SignatureCheck(Supplier<Keys> keys, Clock clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** {@code Credential=ID/DATE/REGION/SERVICE/aws4_request, SignedHeaders=a;b, Signature=hex}, taken apart. */
    private record Authorization(
            String keyId, String date, String region, String service, List<String> signedHeaders, String signature) {
        String scope() {
            return date + "/" + region + "/" + service + "/aws4_request";
        }
    }

    Caller caller(SignedRequest request) throws RegistryException {
        Authorization authorization = authorization(request);
        Keys known = keys.get();
        String time = time(request, authorization);
        boolean sameKey = equal(authorization.keyId(), known.id())
                && equal(
                        request.header("x-amz-security-token").orElse(""),
                        known.session().orElse(""));
        String hash = request.bodyHash();
        boolean sameBody =
                request.header("x-amz-content-sha256").map(hash::equals).orElse(true);
        if (!sameBody) {
            throw denied("the body is not the one that was signed");
        }
        String toSign = String.join(
                "\n",
                ALGORITHM,
                time,
                authorization.scope(),
                hex(sha256(ByteBuffer.wrap(utf8(canonical(request, authorization, hash))))));
        if (!equal(hex(hmac(signingKey(known, authorization), toSign)), authorization.signature()) || !sameKey) {
            throw denied("the signature is not of these credentials and this request");
        }
        return new Caller(known.id(), Optional.empty());
    }

    private static Authorization authorization(SignedRequest request) throws RegistryException {
        String header = request.header("authorization").orElse("");
        if (header.isEmpty()) {
            throw new RegistryException(
                    ErrorCode.Unauthenticated,
                    "not signed: this path takes AWS signatures (SigV4, service execute-api)");
        }
        if (!header.startsWith(ALGORITHM + " ")) {
            throw new RegistryException(
                    ErrorCode.Unauthenticated,
                    "this path takes AWS signatures (" + ALGORITHM + "); tokens go to /jwt" + request.path());
        }
        Map<String, String> parts = new HashMap<>();
        for (String part : header.substring(ALGORITHM.length()).split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(
                        part.substring(0, equals).strip(),
                        part.substring(equals + 1).strip());
            }
        }
        String[] credential = parts.getOrDefault("Credential", "").split("/", -1);
        if (credential.length != 5 || !credential[4].equals("aws4_request")) {
            throw denied("the credential of the signature is not ID/DATE/REGION/SERVICE/aws4_request");
        }
        if (!SERVICES.contains(credential[3])) {
            throw denied("signed for the service " + oneWord(credential[3]) + "; sign for execute-api or elt");
        }
        List<String> signed = List.of(parts.getOrDefault("SignedHeaders", "").split(";", -1));
        if (!signed.contains("host")) {
            throw denied("the header host is not signed");
        }
        return new Authorization(
                credential[0],
                credential[1],
                credential[2],
                credential[3],
                signed,
                parts.getOrDefault("Signature", ""));
    }

    private static String oneWord(String text) {
        return text.replaceAll("[^A-Za-z0-9_-]", "?");
    }

    /** The time of the signature: signed, of the credential's day, and of now. */
    private String time(SignedRequest request, Authorization authorization) throws RegistryException {
        String time = request.header("x-amz-date").orElse("");
        if (!authorization.signedHeaders().contains("x-amz-date")) {
            throw denied("the header x-amz-date is not signed");
        }
        Instant at;
        try {
            at = TIME.parse(time, Instant::from);
        } catch (DateTimeException e) {
            throw denied("x-amz-date is not a time such as 20260301T080000Z");
        }
        if (!time.startsWith(authorization.date() + "T")) {
            throw denied("the day of the credential is not that of x-amz-date");
        }
        if (Duration.between(at, clock.instant()).abs().compareTo(STALE) > 0) {
            throw denied("the signature is more than " + STALE.toMinutes() + " minutes old, or from the future");
        }
        return time;
    }

    private static String canonical(SignedRequest request, Authorization authorization, String bodyHash)
            throws RegistryException {
        StringBuilder headers = new StringBuilder();
        for (String name : authorization.signedHeaders()) {
            Optional<List<String>> values =
                    Optional.ofNullable(request.headers().get(name));
            if (values.isEmpty()) {
                throw denied("a signed header is not there: " + oneWord(name));
            }
            String value = values.get().stream()
                    .map(v -> v.strip().replaceAll(" +", " "))
                    .collect(Collectors.joining(","));
            headers.append(name).append(':').append(value).append('\n');
        }
        return String.join(
                "\n",
                request.method(),
                path(request.path()),
                query(request.query()),
                headers.toString(),
                String.join(";", authorization.signedHeaders()),
                bodyHash);
    }

    /** Each segment of the path that was sent is encoded once more, for all services but S3. */
    private static String path(String sent) {
        return Arrays.stream(sent.split("/", -1)).map(SignatureCheck::encoded).collect(Collectors.joining("/"));
    }

    private static String query(String sent) {
        return Arrays.stream(sent.split("&", -1))
                .filter(p -> !p.isEmpty())
                .map(p -> p.indexOf('=') < 0 ? p + "=" : p)
                .map(p -> {
                    int equals = p.indexOf('=');
                    return recoded(p.substring(0, equals)) + "=" + recoded(p.substring(equals + 1));
                })
                .sorted()
                .collect(Collectors.joining("&"));
    }

    private static String recoded(String sent) {
        try {
            return encoded(URLDecoder.decode(sent.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return sent; // no signature will fit it
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static byte[] signingKey(Keys keys, Authorization authorization) {
        byte[] key = hmac(utf8("AWS4" + keys.secret()), authorization.date());
        return hmac(hmac(hmac(key, authorization.region()), authorization.service()), "aws4_request");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(utf8(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** SHA-256 of a body, in hex digits. */
    static String hash(ByteBuffer body) {
        return hex(sha256(body.duplicate()));
    }

    private static byte[] sha256(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes);
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** In a time that tells nothing of where they differ. */
    private static boolean equal(String a, String b) {
        return MessageDigest.isEqual(utf8(a), utf8(b));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static RegistryException denied(String message) {
        return new RegistryException(ErrorCode.AccessDenied, message);
    }
}
