package dev.stet.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a deployment is told by context ({@code -c NAME=VALUE}, or cdk.json).
 *
 * @param stackName several stacks can stand beside each other
 * @param sources existing buckets to read from; never written
 * @param sinks existing buckets to land in
 * @param inventories existing buckets that S3 Inventory delivers to; empty where runs plan by listings
 * @param storage where ledger and staging are
 * @param keys ARNs of KMS keys; empty where S3 encrypts with its own
 * @param jwt who issues tokens; without, there are no {@code /jwt} routes
 * @param domain own domain of the API
 * @param alarmTopic ARN of an SNS topic that alarms tell
 * @param workers caps
 */
record Settings(
        String stackName,
        List<String> sources,
        List<String> sinks,
        List<String> inventories,
        Storage storage,
        Keys keys,
        Optional<Jwt> jwt,
        Optional<Domain> domain,
        Optional<String> alarmTopic,
        Workers workers) {
    static final String DEFAULT_STACK = "Stet";

    private static final Set<String> NAMES = Set.of(
            "stackName",
            "sourceBucket",
            "sinkBucket",
            "inventoryBucket",
            "tableName",
            "stagingBucket",
            "retain",
            "sourceKmsKeyArns",
            "sinkKmsKeyArns",
            "stagingKmsKeyArn",
            "jwtIssuer",
            "jwtAudience",
            "domain",
            "certificateArn",
            "alarmTopicArn",
            "copyConcurrency",
            "landConcurrency");

    private static final String BUCKET = "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]";
    private static final String KEY = "key/[A-Za-z0-9-]+";
    private static final String KEY_FORM = "key/ID";
    /** What Lambda takes; beyond it, nobody's quota goes. */
    private static final int MOST_WORKERS = 10_000;

    /**
     * Ledger and staging.
     *
     * @param table name of an existing table, that of an earlier stack or a restored one; empty: the stack makes one
     * @param staging name of an existing bucket, that of an earlier stack; empty: the stack makes one
     * @param retain whether what the stack makes outlives it
     */
    record Storage(Optional<String> table, Optional<String> staging, boolean retain) {}

    /** Of whoever encrypts. @param source of sources and inventories @param sink of sinks @param staging of the staging bucket */
    record Keys(List<String> source, List<String> sink, Optional<String> staging) {}

    /**
     * Most workers at once. What is given is set aside from the account's, and no map starts more; without, a map starts as many as the definition says and the account's
     * limit is the only one.
     */
    record Workers(Optional<Integer> copy, Optional<Integer> land) {}

    /** Tokens of this issuer are taken, if they are for one of the audiences. */
    record Jwt(String issuer, List<String> audiences) {}

    /** The API answers as {@code elt.REGION.name}. @param certificateArn of a certificate for that name, in the stack's region */
    record Domain(String name, String certificateArn) {}

    /** @param values of the whole context, the CDK's own too @throws IllegalArgumentException naming what is missing, wrong or unknown */
    static Settings of(Map<String, Object> values) {
        Context context = new Context(values);
        context.requireOnly(NAMES);
        List<String> sources = existing(context, "sourceBucket");
        List<String> sinks = existing(context, "sinkBucket");
        List<String> inventories = buckets(context, "inventoryBucket");
        apart(sources, sinks);
        return new Settings(
                context.text(
                                "stackName",
                                t -> t.matches("[A-Za-z][A-Za-z0-9-]{0,59}"),
                                "letters, digits and hyphens, at most 60, a letter first")
                        .orElse(DEFAULT_STACK),
                sources,
                sinks,
                inventories,
                storage(context, sources, sinks, inventories),
                new Keys(
                        context.arns("sourceKmsKeyArns", "kms", KEY, KEY_FORM),
                        context.arns("sinkKmsKeyArns", "kms", KEY, KEY_FORM),
                        context.arn("stagingKmsKeyArn", "kms", KEY, KEY_FORM)),
                jwt(context),
                domain(context),
                context.arn("alarmTopicArn", "sns", "[A-Za-z0-9_-]+", "TOPIC"),
                new Workers(
                        context.number("copyConcurrency", MOST_WORKERS),
                        context.number("landConcurrency", MOST_WORKERS)));
    }

    /** What metrics are under: those of one stack are not taken for another's. */
    String metrics() {
        return stackName.equals(DEFAULT_STACK) ? DEFAULT_STACK : DEFAULT_STACK + "/" + stackName;
    }

    private static List<String> existing(Context context, String name) {
        List<String> buckets = buckets(context, name);
        if (buckets.isEmpty()) {
            throw new IllegalArgumentException("name an existing bucket: -c " + name + "=BUCKET (several with commas)");
        }
        return buckets;
    }

    private static List<String> buckets(Context context, String name) {
        return context.list(name, t -> t.matches(BUCKET), "the name of a bucket");
    }

    private static void apart(List<String> sources, List<String> sinks) {
        for (String bucket : sources) {
            if (sinks.contains(bucket)) {
                throw new IllegalArgumentException("sinkBucket: another bucket than sourceBucket, not " + bucket
                        + ": a role that lands there could write to the source");
            }
        }
    }

    private static Storage storage(
            Context context, List<String> sources, List<String> sinks, List<String> inventories) {
        Optional<String> staging = context.text("stagingBucket", t -> t.matches(BUCKET), "the name of a bucket");
        List<String> others = new ArrayList<>(sources);
        others.addAll(sinks);
        others.addAll(inventories);
        if (staging.isPresent() && others.contains(staging.get())) {
            // The sweeper removes there what no commit needs.
            throw new IllegalArgumentException(
                    "stagingBucket: a bucket of its own, neither source, sink nor inventory, not " + staging.get());
        }
        return new Storage(
                context.text("tableName", t -> t.matches("[A-Za-z0-9_.-]{3,255}"), "the name of a table of DynamoDB"),
                staging,
                context.flag("retain").orElse(true));
    }

    private static Optional<Jwt> jwt(Context context) {
        Optional<String> issuer = context.text("jwtIssuer");
        List<String> audiences = context.list("jwtAudience", _ -> true, "an audience");
        if (issuer.isPresent() != !audiences.isEmpty()) {
            throw new IllegalArgumentException("jwtIssuer and jwtAudience go together");
        }
        if (issuer.isPresent() && !issuer.get().startsWith("https://")) {
            throw new IllegalArgumentException("jwtIssuer: an https:// address, not " + issuer.get());
        }
        return issuer.map(i -> new Jwt(i, audiences));
    }

    private static Optional<Domain> domain(Context context) {
        Optional<String> name = context.text(
                "domain", t -> t.matches("([A-Za-z0-9-]+\\.)+[A-Za-z0-9-]+"), "a domain such as example.com");
        Optional<String> certificate =
                context.arn("certificateArn", "acm", "certificate/[A-Za-z0-9-]+", "certificate/ID");
        if (name.isPresent() != certificate.isPresent()) {
            throw new IllegalArgumentException("domain and certificateArn go together");
        }
        return name.map(n -> new Domain(n, certificate.orElseThrow()));
    }
}
