package dev.stet.infra;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;

/**
 * What a function may do, one statement a need. Nothing that writes to a source can be said here. Statements name actions one by one; objects are named by
 * bucket, since which prefix a pipeline uses is decided when it is created. docs/permissions.md has the request behind each.
 */
final class Grants {
    private static final String SOURCE =
            "Read only. Which prefixes of the bucket are sources is decided when a pipeline is created, after deployment.";
    private static final String INVENTORY =
            "Read only. Under which prefix S3 Inventory delivers is decided where it is configured; which manifest is read, when a run is started.";
    private static final String SINK =
            "Which prefixes of the bucket are sinks is decided when a pipeline is created, after deployment; nothing there can be deleted or replaced.";
    private static final String STAGING =
            "The bucket is this stack's own and holds nothing else; keys begin with the id of a pipeline, which is made after deployment.";

    private static final String DECRYPT = "kms:Decrypt";
    private static final String ENCRYPT = "kms:GenerateDataKey";

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
    List<Grant> readSource() {
        return Grant.all(
                listSource(), List.of(objects("ReadSource", settings.sources(), SOURCE, "s3:GetObject")), sourceKeys());
    }

    /** To list a source, no byte of it. */
    List<Grant> listSource() {
        return List.of(Grant.allow("ListSource", buckets(settings.sources()), "s3:ListBucket"));
    }

    /** To see whether a sink is unused. */
    List<Grant> listSink() {
        return List.of(Grant.allow("ListSink", buckets(settings.sinks()), "s3:ListBucket"));
    }

    /** To land objects whole, to give up an upload that another was faster than, and to read them back. Whoever may not list is not told that an object is absent, which is what a lost answer is about. */
    List<Grant> land() {
        return Grant.all(
                List.of(objects(
                        "LandObjects",
                        settings.sinks(),
                        SINK,
                        "s3:PutObject",
                        "s3:GetObject",
                        "s3:AbortMultipartUpload")),
                listSink(),
                keys("SinkKeys", settings.keys().sink(), DECRYPT, ENCRYPT));
    }

    /** To end uploads at the sink that nobody completes. */
    List<Grant> abortAtSink() {
        return List.of(
                objects("AbortUploads", settings.sinks(), SINK, "s3:AbortMultipartUpload"),
                Grant.allow("ListUploads", buckets(settings.sinks()), "s3:ListBucketMultipartUploads"));
    }

    /** To write bundles, plans and reports, and to use the key for it. */
    List<Grant> writeStaging() {
        return Grant.all(List.of(inStaging("WriteStaging", "s3:PutObject", "s3:AbortMultipartUpload")), stagingKey());
    }

    /** To read the lists that S3 Inventory delivers, where it does; whoever may not list is not told that a manifest is absent. */
    List<Grant> readInventories() {
        List<String> names = settings.inventories();
        return names.isEmpty()
                ? List.of()
                : Grant.all(
                        List.of(
                                Grant.allow("ListInventories", buckets(names), "s3:ListBucket"),
                                objects("ReadInventories", names, INVENTORY, "s3:GetObject")),
                        sourceKeys());
    }

    /** To read bundles and plans. Whoever does writes too, and has the key from there. */
    List<Grant> readStaging() {
        return List.of(inStaging("ReadStaging", "s3:GetObject"));
    }

    /** To list results, or to be told that an object is absent. */
    List<Grant> listStaging() {
        return List.of(Grant.allow("ListStaging", List.of(stagingArn), "s3:ListBucket"));
    }

    /** To remove what no commit needs. */
    List<Grant> sweepStaging() {
        return Grant.all(
                listStaging(),
                List.of(
                        inStaging("SweepStaging", "s3:DeleteObject", "s3:AbortMultipartUpload"),
                        Grant.allow("ListUploads", List.of(stagingArn), "s3:ListBucketMultipartUploads")));
    }

    /** For a map's role: to read the items it hands out and to write their results, as documented for Step Functions. */
    List<Grant> itemsAndResults() {
        return Grant.all(
                List.of(inStaging(
                        "ItemsAndResults",
                        "s3:GetObject",
                        "s3:PutObject",
                        "s3:ListMultipartUploadParts",
                        "s3:AbortMultipartUpload")),
                stagingKey());
    }

    /** Rows of ledger and registry, by what is done with them: {@code Get}, {@code Query}, {@code Update}, {@code Delete}, {@code ConditionCheck}. */
    List<Grant> rows(String... done) {
        String[] actions = new String[done.length];
        for (int i = 0; i < done.length; i++) {
            actions[i] = "dynamodb:" + done[i] + (done[i].equals("Query") ? "" : "Item");
        }
        return List.of(Grant.allow("Rows", List.of(tableArn), actions));
    }

    /** To use the key that the staging bucket is encrypted with; an upload in parts is put together by reading. */
    private List<Grant> stagingKey() {
        return keys("StagingKey", settings.keys().staging().stream().toList(), DECRYPT, ENCRYPT);
    }

    private List<Grant> sourceKeys() {
        return keys("SourceKeys", settings.keys().source(), DECRYPT);
    }

    private static List<Grant> keys(String sid, List<String> arns, String... actions) {
        return arns.isEmpty() ? List.of() : List.of(Grant.allow(sid, arns, actions));
    }

    private Grant inStaging(String sid, String... actions) {
        String objects = stagingArn + "/*";
        return Grant.allow(sid, List.of(objects), actions).because(Map.of(objects, STAGING));
    }

    private Grant objects(String sid, List<String> names, String reason, String... actions) {
        Map<String, String> reasons = new LinkedHashMap<>();
        buckets(names).forEach(arn -> reasons.put(arn + "/*", reason));
        return Grant.allow(sid, List.copyOf(reasons.keySet()), actions).because(reasons);
    }

    private List<String> buckets(List<String> names) {
        return names.stream().map(n -> "arn:" + partition + ":s3:::" + n).toList();
    }
}
