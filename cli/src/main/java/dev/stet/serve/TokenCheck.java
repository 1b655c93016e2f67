package dev.stet.serve;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.stet.config.ConfigException;
import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Checks Bearer tokens: signed by a key of the set, by an algorithm with a public key, from the issuer, for the audience, not expired. A token that never
 * expires is refused. Thread-safe.
 */
public final class TokenCheck {
    private static final String BEARER = "bearer ";
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    private TokenCheck(String issuer, String audience, JWKSource<SecurityContext> keys) {
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                audience, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("exp"));
        claims.setMaxClockSkew(0);
        processor.setJWTClaimsSetVerifier(claims);
    }

    /**
     * A check of tokens of one issuer.
     *
     * @param jwks a file, read now, or an http(s) URL, read when needed and again when an unknown key turns up
     */
    public static TokenCheck of(String issuer, String audience, String jwks, Path workingDirectory)
            throws ConfigException {
        String lower = jwks.toLowerCase(Locale.ROOT);
        try {
            JWKSource<SecurityContext> keys = lower.startsWith("https://") || lower.startsWith("http://")
                    ? JWKSourceBuilder.create(URI.create(jwks).toURL()).build()
                    : new ImmutableJWKSet<>(
                            JWKSet.load(workingDirectory.resolve(jwks).toFile()));
            return new TokenCheck(issuer, audience, keys);
        } catch (MalformedURLException | IllegalArgumentException e) {
            throw new ConfigException("--jwks: neither a file nor a URL: " + jwks);
        } catch (IOException e) {
            throw new ConfigException("--jwks: cannot be read: " + jwks);
        } catch (ParseException e) {
            throw new ConfigException("--jwks: not a JSON Web Key Set: " + jwks);
        }
    }

    /** @param authorization the header, if there is one */
    Caller caller(Optional<String> authorization) throws RegistryException {
        String header = authorization.orElse("");
        if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw bad("a token is needed: Authorization: Bearer …");
        }
        try {
            JWTClaimsSet claims =
                    processor.process(header.substring(BEARER.length()).strip(), null);
            return new Caller(subject(claims), Optional.of(scopes(claims)));
        } catch (ParseException e) {
            throw bad("not a JSON Web Token");
        } catch (BadJOSEException e) {
            throw bad("the token is not accepted: "
                    + Optional.ofNullable(e.getMessage()).orElse("bad"));
        } catch (JOSEException e) {
            throw bad("the token cannot be checked: the keys are not to be had");
        }
    }

    /** Runs are recorded under it, and people read it in a terminal. */
    private static String subject(JWTClaimsSet claims) throws RegistryException {
        String subject = Optional.ofNullable(claims.getSubject()).orElse("");
        if (subject.isBlank() || subject.chars().anyMatch(Character::isISOControl)) {
            throw bad("the token names nobody: its sub is missing or no plain text");
        }
        return subject;
    }

    /** {@code scope}, words of one text, or {@code scp}, a text or a list. */
    private static Set<String> scopes(JWTClaimsSet claims) {
        Set<String> scopes = new HashSet<>();
        for (String name : List.of("scope", "scp")) {
            Object claim = claims.getClaim(name);
            if (claim instanceof String text) {
                scopes.addAll(List.of(text.split(" ", -1)));
            } else if (claim instanceof List<?> list) {
                list.forEach(s -> scopes.add(String.valueOf(s)));
            }
        }
        return scopes;
    }

    private static RegistryException bad(String message) {
        return new RegistryException(ErrorCode.Unauthenticated, message);
    }
}
