package dev.stet.infra;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a deployment is told by context ({@code -c NAME=VALUE}, or cdk.json).
 *
 * @param sourceBuckets existing buckets to read from; never written
 * @param sinkBuckets existing buckets to land in
 * @param keys ARNs of KMS keys of these buckets; empty where S3 encrypts with its own
 * @param stagingKey ARN of a KMS key for the staging bucket
 * @param jwt who issues tokens; without, there are no {@code /jwt} routes
 * @param domain own domain of the API
 * @param alarmTopic ARN of an SNS topic that alarms tell
 * @param copyConcurrency most copy workers at once, set aside from the account's; empty: as many as the account allows and the run's definition asks for
 * @param retain whether table and staging outlive the stack
 */
record Settings(
        List<String> sourceBuckets,
        List<String> sinkBuckets,
        List<String> keys,
        Optional<String> stagingKey,
        Optional<Jwt> jwt,
        Optional<Domain> domain,
        Optional<String> alarmTopic,
        Optional<Integer> copyConcurrency,
        boolean retain) {

    /** Tokens of this issuer are taken, if they are for one of the audiences. */
    record Jwt(String issuer, List<String> audiences) {}

    /** The API answers as {@code elt.REGION.name}. @param certificateArn of a certificate for that name, in the stack's region */
    record Domain(String name, String certificateArn) {}

    /** @param context looks a name up @throws IllegalArgumentException naming what is missing or wrong */
    static Settings of(Function<String, Optional<Object>> context) {
        return new Settings(
                buckets(context, "sourceBucket"),
                buckets(context, "sinkBucket"),
                list(context, "kmsKeyArns"),
                text(context, "stagingKmsKeyArn"),
                jwt(context),
                domain(context),
                text(context, "alarmTopicArn"),
                text(context, "copyConcurrency").map(Settings::concurrency),
                text(context, "retain").map(r -> flag("retain", r)).orElse(true));
    }

    private static Optional<String> text(Function<String, Optional<Object>> context, String name) {
        return context.apply(name).map(String::valueOf).map(String::strip).filter(s -> !s.isEmpty());
    }

    private static List<String> list(Function<String, Optional<Object>> context, String name) {
        return text(context, name)
                .map(t -> Arrays.stream(t.split(",", -1))
                        .map(String::strip)
                        .filter(s -> !s.isEmpty())
                        .toList())
                .orElse(List.of());
    }

    private static List<String> buckets(Function<String, Optional<Object>> context, String name) {
        List<String> buckets = list(context, name);
        if (buckets.isEmpty()) {
            throw new IllegalArgumentException("name an existing bucket: -c " + name + "=BUCKET (several with commas)");
        }
        for (String b : buckets) {
            if (!b.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
                throw new IllegalArgumentException(name + ": not the name of a bucket: " + b);
            }
        }
        return buckets;
    }

    private static Optional<Jwt> jwt(Function<String, Optional<Object>> context) {
        Optional<String> issuer = text(context, "jwtIssuer");
        List<String> audiences = list(context, "jwtAudience");
        if (issuer.isPresent() != !audiences.isEmpty()) {
            throw new IllegalArgumentException("jwtIssuer and jwtAudience go together");
        }
        if (issuer.isPresent() && !issuer.get().startsWith("https://")) {
            throw new IllegalArgumentException("jwtIssuer: not an https:// address: " + issuer.get());
        }
        return issuer.map(i -> new Jwt(i, audiences));
    }

    private static Optional<Domain> domain(Function<String, Optional<Object>> context) {
        Optional<String> name = text(context, "domain");
        Optional<String> certificate = text(context, "certificateArn");
        if (name.isPresent() != certificate.isPresent()) {
            throw new IllegalArgumentException("domain and certificateArn go together");
        }
        return name.map(n -> new Domain(n, certificate.orElseThrow()));
    }

    private static int concurrency(String text) {
        try {
            int n = Integer.parseInt(text);
            if (n >= 1 && n <= 10_000) {
                return n;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException("copyConcurrency: a number from 1 to 10000, not " + text);
    }

    private static boolean flag(String name, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(name + ": true or false, not " + text);
        };
    }
}
