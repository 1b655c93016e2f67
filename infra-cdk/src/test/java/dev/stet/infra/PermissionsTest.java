package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What roles may not do, whatever their grants say. */
final class PermissionsTest {
    private static final Set<String> ON_ANYTHING = Set.of(
            "logs:CreateLogDelivery",
            "logs:GetLogDelivery",
            "logs:UpdateLogDelivery",
            "logs:DeleteLogDelivery",
            "logs:ListLogDeliveries",
            "logs:PutResourcePolicy",
            "logs:DescribeResourcePolicies",
            "logs:DescribeLogGroups",
            "xray:PutTraceSegments",
            "xray:PutTelemetryRecords",
            "xray:GetSamplingRules",
            "xray:GetSamplingTargets");

    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL})
    void noActionIsAWildcard(String stack) {
        Synthesis.template(stack)
                .statements()
                .forEach(
                        s -> assertThat(s.actions()).as(s.policy()).isNotEmpty().noneMatch(a -> a.contains("*")));
    }

    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL})
    void onlyLogDeliveryAndTracesAreAllowedOnAnyResource(String stack) {
        Set<String> found = new TreeSet<>();
        Synthesis.template(stack).statements().stream()
                .filter(s -> s.resources().contains("*"))
                .forEach(s -> found.addAll(s.actions()));
        assertThat(found).isEqualTo(new TreeSet<>(ON_ANYTHING));
    }

    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL, Synthesis.BRIEF, Synthesis.AGAIN})
    void everyWildcardHasAReasonOnItsVeryPolicy(String stack) {
        Template template = Synthesis.template(stack);
        Map<String, JsonNode> policies = template.resources("AWS::IAM::Policy");
        List<Template.Statement> wild = template.statements().stream()
                .filter(s -> s.resources().stream().anyMatch(r -> r.contains("*")))
                .toList();
        assertThat(wild).hasSizeGreaterThan(10);
        for (Template.Statement s : wild) {
            JsonNode reasons =
                    policies.get(s.policy()).path("Metadata").path("cdk_nag").path("rules_to_suppress");
            for (String resource : s.resources()) {
                if (resource.contains("*")) {
                    assertThat(reasons.values())
                            .as(s.policy() + " " + resource)
                            .anyMatch(r -> r.path("applies_to").toString().contains("\"Resource::" + resource + "\"")
                                    && r.path("reason").stringValue("").length() > 30);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL})
    void sourcesAreReadOnly(String stack) {
        List<Template.Statement> source = Synthesis.template(stack).statements().stream()
                .filter(s -> s.resources().stream()
                        .anyMatch(r -> r.matches("arn:.*:s3:::(devices|gates|inventories).*|\\*")))
                .filter(s -> s.actions().stream().anyMatch(a -> a.startsWith("s3:")))
                .toList();
        assertThat(source).isNotEmpty();
        source.forEach(s -> assertThat(s.actions()).as(s.policy()).isSubsetOf("s3:GetObject", "s3:ListBucket"));
    }

    @ParameterizedTest
    @ValueSource(strings = {Synthesis.PLAIN, Synthesis.FULL})
    void nothingInASinkCanBeDeletedAndNoBucketBeChanged(String stack) {
        Synthesis.template(stack).statements().forEach(s -> {
            if (s.resources().stream().anyMatch(r -> r.contains(":s3:::"))) {
                assertThat(s.actions())
                        .as(s.policy())
                        .isSubsetOf(
                                "s3:GetObject",
                                "s3:PutObject",
                                "s3:AbortMultipartUpload",
                                "s3:ListBucket",
                                "s3:ListBucketMultipartUploads");
            }
            assertThat(s.actions()).as(s.policy()).noneMatch(a -> a.startsWith("s3:PutBucket") || a.startsWith("iam:"));
        });
    }

    @Test
    void noRoleTakesAManagedPolicyAndEachIsOneServices() {
        Synthesis.template(Synthesis.PLAIN).properties("AWS::IAM::Role").forEach((id, role) -> {
            assertThat(role.has("ManagedPolicyArns")).as(id).isFalse();
            assertThat(role.path("AssumeRolePolicyDocument").path("Statement").toString())
                    .as(id)
                    .matches(".*\"Service\":\"(lambda|states|scheduler)\\.amazonaws\\.com\".*")
                    .doesNotContain("\"AWS\"");
        });
    }

    /** What S3 does with a key in the caller's name: opens what is read; makes a key for what is written, and opens it again to put parts together. */
    @Test
    void whoeverReadsAnEncryptedBucketMayOpenAndWhoeverWritesItMayCloseAndNobodyElseUsesItsKey() {
        Template full = Synthesis.template(Synthesis.FULL);
        Map<String, Set<String>> keys = Map.of(
                "devices", Set.of(Synthesis.key("source")),
                "inventories", Set.of(Synthesis.key("source")),
                "lake", Set.of(Synthesis.key("sink"), Synthesis.key("sink-eu")),
                "staging", Set.of(Synthesis.key("staging")));
        Map<String, Set<String>> needed = new TreeMap<>();
        Map<String, Set<String>> granted = new TreeMap<>();
        for (Template.Statement s : full.statements()) {
            keys.forEach((bucket, arns) -> {
                if (s.resources().stream()
                        .anyMatch(r -> r.endsWith("/*") && bucket(r).equals(bucket))) {
                    Set<String> use = needed.computeIfAbsent(s.policy(), _ -> new TreeSet<>());
                    if (s.actions().contains("s3:GetObject") || s.actions().contains("s3:PutObject")) {
                        arns.forEach(k -> use.add("kms:Decrypt " + k));
                    }
                    if (s.actions().contains("s3:PutObject")) {
                        arns.forEach(k -> use.add("kms:GenerateDataKey " + k));
                    }
                }
            });
            s.actions().stream()
                    .filter(a -> a.startsWith("kms:"))
                    .forEach(a -> s.resources()
                            .forEach(r -> granted.computeIfAbsent(s.policy(), _ -> new TreeSet<>())
                                    .add(a + " " + r)));
        }
        needed.values().removeIf(Set::isEmpty);
        assertThat(granted).isEqualTo(needed).hasSizeGreaterThanOrEqualTo(10);
        assertThat(Synthesis.template(Synthesis.PLAIN).statements())
                .noneMatch(s -> s.actions().stream().anyMatch(a -> a.startsWith("kms:")));
    }

    private static String bucket(String objects) {
        return objects.startsWith("<StagingBucket") ? "staging" : objects.replaceAll("^.*:::|/.*$", "");
    }

    @Test
    void onlyTheKeyOfAWrittenBucketIsUsedToWrite() {
        assertThat(Synthesis.template(Synthesis.FULL).statements().stream()
                        .filter(s -> s.resources().contains(Synthesis.key("source")))
                        .flatMap(s -> s.actions().stream())
                        .distinct())
                .containsExactly("kms:Decrypt");
    }
}
