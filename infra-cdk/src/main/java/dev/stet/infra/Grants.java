package dev.stet.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyStatement;

/**
 * What a function may do, one statement a need. Nothing that writes to a source can be said here. Statements name actions one by one; objects are named by
 * bucket, since which prefix a pipeline uses is decided when it is created.
 */
final class Grants {
    private final Settings settings;
    private final String partition;
    private final String tableArn;
    private final String stagingArn;

    Grants(Stack stack, Settings settings, Ledger ledger, Staging staging) {
        this.settings = settings;
        this.partition = stack.getPartition();
        this.tableArn = ledger.table().getTableArn();
        this.stagingArn = staging.bucket().getBucketArn();
    }

    /** To list a source and to read its objects. */
    List<PolicyStatement> readSource() {
        return List.of(
                allow("ListSource", buckets(settings.sourceBuckets()), "s3:ListBucket"),
                allow("ReadSource", objects(settings.sourceBuckets()), "s3:GetObject"));
    }

    /** To list a source, no byte of it. */
    List<PolicyStatement> listSource() {
        return List.of(allow("ListSource", buckets(settings.sourceBuckets()), "s3:ListBucket"));
    }

    /** To see whether a sink is unused. */
    List<PolicyStatement> listSink() {
        return List.of(allow("ListSink", buckets(settings.sinkBuckets()), "s3:ListBucket"));
    }

    /** To land objects whole and to read them back; to end uploads that nobody completes. */
    List<PolicyStatement> land() {
        return List.of(
                allow(
                        "LandObjects",
                        objects(settings.sinkBuckets()),
                        "s3:PutObject",
                        "s3:GetObject",
                        "s3:AbortMultipartUpload"),
                allow(
                        "ListSink",
                        buckets(settings.sinkBuckets()),
                        "s3:ListBucket",
                        "s3:ListBucketMultipartUploads"));
    }

    /** To write bundles and plans, and to read them. */
    List<PolicyStatement> stage() {
        return List.of(
                allow(
                        "Stage",
                        List.of(stagingArn + "/*"),
                        "s3:PutObject",
                        "s3:GetObject",
                        "s3:AbortMultipartUpload"),
                allow("ListStaging", List.of(stagingArn), "s3:ListBucket", "s3:ListBucketMultipartUploads"));
    }

    /** To remove what no commit needs. */
    List<PolicyStatement> sweepStaging() {
        return List.of(
                allow("SweepStaging", List.of(stagingArn + "/*"), "s3:DeleteObject", "s3:AbortMultipartUpload"),
                allow("ListStaging", List.of(stagingArn), "s3:ListBucket", "s3:ListBucketMultipartUploads"));
    }

    /** Reads and conditional writes of ledger and registry. */
    List<PolicyStatement> ledger() {
        return List.of(allow(
                "Ledger",
                List.of(tableArn),
                "dynamodb:GetItem",
                "dynamodb:BatchGetItem",
                "dynamodb:Query",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
                "dynamodb:DeleteItem",
                "dynamodb:ConditionCheckItem"));
    }

    /** To use the keys that the buckets are encrypted with. */
    List<PolicyStatement> keys() {
        List<String> arns = new ArrayList<>(settings.keys());
        settings.stagingKey().ifPresent(arns::add);
        return arns.isEmpty() ? List.of() : List.of(allow("Keys", arns, "kms:Decrypt", "kms:GenerateDataKey"));
    }

    @SafeVarargs
    static List<PolicyStatement> all(List<PolicyStatement>... parts) {
        return Stream.of(parts).flatMap(List::stream).toList();
    }

    static PolicyStatement allow(String sid, List<String> resources, String... actions) {
        return PolicyStatement.Builder.create()
                .sid(sid)
                .effect(Effect.ALLOW)
                .actions(List.of(actions))
                .resources(resources)
                .build();
    }

    private List<String> buckets(List<String> names) {
        return names.stream().map(n -> "arn:" + partition + ":s3:::" + n).toList();
    }

    private List<String> objects(List<String> names) {
        return buckets(names).stream().map(arn -> arn + "/*").toList();
    }
}
