package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Table and buckets: what would be a loss is hard to lose. */
final class StorageTest {
    private final Template stack = Synthesis.template(Synthesis.PLAIN);

    @Test
    void theTableIsOnDemandRecoverableProtectedAndOutlivesTheStack() {
        JsonNode table = stack.only("AWS::DynamoDB::Table");
        JsonNode p = table.path("Properties");
        assertThat(p.path("BillingMode").stringValue("")).isEqualTo("PAY_PER_REQUEST");
        assertThat(p.path("PointInTimeRecoverySpecification")
                        .path("PointInTimeRecoveryEnabled")
                        .booleanValue(false))
                .isTrue();
        assertThat(p.path("DeletionProtectionEnabled").booleanValue(false)).isTrue();
        assertThat(p.path("SSESpecification").path("SSEEnabled").booleanValue(false))
                .isTrue();
        assertThat(p.has("TimeToLiveSpecification")).isFalse();
        assertThat(p.path("AttributeDefinitions").toString())
                .isEqualTo(
                        "[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},{\"AttributeName\":\"sk\",\"AttributeType\":\"B\"}]");
        retained(table);
    }

    @Test
    void stagingIsEncryptedPrivateTlsOnlyAndNothingInItExpires() {
        Map<String, JsonNode> buckets = stack.resources("AWS::S3::Bucket");
        assertThat(buckets).hasSize(1);
        assertThat(buckets.keySet().iterator().next()).contains("Staging");
        JsonNode bucket = stack.only("AWS::S3::Bucket");
        retained(bucket);
        JsonNode p = bucket.path("Properties");
        assertThat(p.path("BucketEncryption").toString()).contains("AES256");
        p.path("PublicAccessBlockConfiguration")
                .properties()
                .forEach(e -> assertThat(e.getValue().booleanValue(false))
                        .as(e.getKey())
                        .isTrue());
        assertThat(p.path("PublicAccessBlockConfiguration").size()).isEqualTo(4);
        assertThat(p.path("LifecycleConfiguration").path("Rules").toString())
                .isEqualTo(
                        "[{\"AbortIncompleteMultipartUpload\":{\"DaysAfterInitiation\":7},\"Id\":\"abort-incomplete-uploads\",\"Status\":\"Enabled\"}]");
        String policy = stack.only("AWS::S3::BucketPolicy")
                .path("Properties")
                .path("PolicyDocument")
                .toString();
        assertThat(policy)
                .contains("{\"Bool\":{\"aws:SecureTransport\":\"false\"}}")
                .contains("\"Effect\":\"Deny\"");
    }

    @Test
    void stagingTakesAKeyOfTheOwners() {
        JsonNode p = Synthesis.template(Synthesis.FULL).only("AWS::S3::Bucket").path("Properties");
        assertThat(p.path("BucketEncryption").toString()).contains("aws:kms").contains(Synthesis.key("staging"));
    }

    private static void retained(JsonNode resource) {
        assertThat(resource.path("DeletionPolicy").stringValue("")).isEqualTo("Retain");
        assertThat(resource.path("UpdateReplacePolicy").stringValue("")).isEqualTo("Retain");
    }

    @Test
    void aStackThatIsToldToRetainNothingLetsTableAndStagingGo() {
        Template brief = Synthesis.template(Synthesis.BRIEF);
        assertThat(brief.only("AWS::DynamoDB::Table").path("DeletionPolicy").stringValue(""))
                .isEqualTo("Delete");
        assertThat(brief.only("AWS::DynamoDB::Table")
                        .path("Properties")
                        .path("DeletionProtectionEnabled")
                        .booleanValue(true))
                .isFalse();
        assertThat(brief.only("AWS::S3::Bucket").path("DeletionPolicy").stringValue(""))
                .isEqualTo("Delete");
    }

    @Test
    void whatAnEarlierStackLeftIsTakenAndNothingIsMadeInItsPlace() {
        Template again = Synthesis.template(Synthesis.AGAIN);
        assertThat(again.resources("AWS::DynamoDB::Table")).isEmpty();
        assertThat(again.resources("AWS::S3::Bucket")).isEmpty();
        assertThat(again.resources("AWS::S3::BucketPolicy")).isEmpty();
        again.properties("AWS::Lambda::Function").forEach((id, f) -> {
            JsonNode variables = f.path("Environment").path("Variables");
            assertThat(variables.path("STET_TABLE").stringValue("")).as(id).isEqualTo("ledger-restored");
            assertThat(variables.path("STET_STAGING").stringValue("")).as(id).isEqualTo("s3://staging-of-before/");
        });
        List<String> rows = again.statements().stream()
                .filter(s -> s.actions().stream().anyMatch(a -> a.startsWith("dynamodb:")))
                .flatMap(s -> s.resources().stream())
                .distinct()
                .toList();
        assertThat(rows)
                .containsExactly("arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/ledger-restored");
        assertThat(again.statements().stream()
                        .filter(s -> s.actions().contains("s3:DeleteObject"))
                        .flatMap(s -> s.resources().stream()))
                .containsExactly("arn:<AWS::Partition>:s3:::staging-of-before/*");
        assertThat(again.json().path("Outputs").path("Table").path("Value").stringValue(""))
                .isEqualTo("ledger-restored");
    }

    @Test
    void sourceAndSinkAreNotTheStacks() {
        assertThat(stack.json().path("Resources").properties())
                .noneMatch(r -> r.getValue()
                        .path("Properties")
                        .path("BucketName")
                        .stringValue("")
                        .matches("devices|lake"));
        assertThat(stack.resources("Custom::S3BucketNotifications")).isEmpty();
        JsonNode rule = stack.rule("Object Created").path("EventPattern");
        assertThat(rule.toString())
                .isEqualTo(
                        "{\"detail\":{\"bucket\":{\"name\":[\"devices\"]}},\"detail-type\":[\"Object Created\"],\"source\":[\"aws.s3\"]}");
    }

    @Test
    void notificationsThatFailFiveTimesAreKeptForTwoWeeks() {
        Map<String, JsonNode> queues = stack.properties("AWS::SQS::Queue");
        assertThat(queues).hasSize(2);
        queues.forEach((id, q) -> {
            assertThat(q.path("MessageRetentionPeriod").intValue(0)).as(id).isEqualTo(14 * 86_400);
            assertThat(q.path("SqsManagedSseEnabled").booleanValue(false))
                    .as(id)
                    .isTrue();
        });
        assertThat(queues.values())
                .anyMatch(q -> q.path("RedrivePolicy").path("maxReceiveCount").intValue(0) == 5);
        JsonNode mapping = stack.only("AWS::Lambda::EventSourceMapping").path("Properties");
        assertThat(mapping.path("FunctionResponseTypes").toString()).isEqualTo("[\"ReportBatchItemFailures\"]");
        assertThat(mapping.path("MaximumBatchingWindowInSeconds").intValue(0)).isBetween(60, 300);
    }
}
