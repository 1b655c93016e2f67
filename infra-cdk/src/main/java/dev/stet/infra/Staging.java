package dev.stet.infra;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import java.util.List;
import java.util.Optional;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.kms.IKey;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.s3.BlockPublicAccess;
import software.amazon.awscdk.services.s3.Bucket;
import software.amazon.awscdk.services.s3.BucketEncryption;
import software.amazon.awscdk.services.s3.IBucket;
import software.amazon.awscdk.services.s3.LifecycleRule;
import software.amazon.awscdk.services.s3.ObjectOwnership;
import software.constructs.Construct;

/**
 * Where bundles, plans and reports lie. Committed bytes may live here alone: nothing expires, only uploads that nobody completed are aborted. A bucket that an earlier
 * stack left is taken as it is.
 */
final class Staging extends Construct {
    private static final String ID = "Bucket";

    private final IBucket bucket;

    Staging(Construct scope, String id, Settings settings) {
        super(scope, id);
        this.bucket = settings.storage()
                .staging()
                .<IBucket>map(name -> Bucket.fromBucketName(this, ID, name))
                .orElseGet(() -> make(settings));
    }

    private Bucket make(Settings settings) {
        Optional<IKey> key = settings.keys().staging().map(arn -> Key.fromKeyArn(this, "Key", arn));
        Bucket.Builder builder = Bucket.Builder.create(this, ID)
                .blockPublicAccess(BlockPublicAccess.BLOCK_ALL)
                .objectOwnership(ObjectOwnership.BUCKET_OWNER_ENFORCED)
                .enforceSsl(true)
                .minimumTlsVersion(1.2)
                .encryption(key.isPresent() ? BucketEncryption.KMS : BucketEncryption.S3_MANAGED)
                .lifecycleRules(List.of(LifecycleRule.builder()
                        .id("abort-incomplete-uploads")
                        .abortIncompleteMultipartUploadAfter(Duration.days(7))
                        .build()))
                .removalPolicy(settings.storage().retain() ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
        key.ifPresent(k -> builder.encryptionKey(k).bucketKeyEnabled(true));
        Bucket made = builder.build();
        NagSuppressions.addResourceSuppressions(
                made,
                List.of(NagPackSuppression.builder()
                        .id("AwsSolutions-S1")
                        .reason(
                                "A log line for each of millions of ranged reads would outgrow what it tells of; only this stack's"
                                        + " roles come here, and an account that wants to know uses data events of CloudTrail.")
                        .build()));
        return made;
    }

    IBucket bucket() {
        return bucket;
    }
}
