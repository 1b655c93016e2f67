package dev.stet.infra;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;

/**
 * Something that a role may do, in one statement; a wildcard in it stands beside the reason for it.
 *
 * @param wildcards reasons by resource with a wildcard, each as the statement has it
 */
record Grant(PolicyStatement statement, Map<String, String> wildcards) {
    private static final String RULE = "AwsSolutions-IAM5";

    /** Allows actions, each by its full name, on resources without wildcards. */
    static Grant allow(String sid, List<String> resources, String... actions) {
        return new Grant(
                PolicyStatement.Builder.create()
                        .sid(sid)
                        .effect(Effect.ALLOW)
                        .actions(List.of(actions))
                        .resources(resources)
                        .build(),
                Map.of());
    }

    /** The same with a reason for each of some wildcards. */
    Grant because(Map<String, String> reasons) {
        Map<String, String> all = new TreeMap<>(wildcards);
        all.putAll(reasons);
        return new Grant(statement, all);
    }

    @SafeVarargs
    static List<Grant> all(List<Grant>... parts) {
        List<Grant> all = new ArrayList<>();
        for (List<Grant> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }

    /** Lets a role do these things; the reasons stand on the policy that has the wildcards. */
    static void give(Role role, List<Grant> grants) {
        for (Grant grant : grants) {
            var _ = role.addToPrincipalPolicy(grant.statement());
        }
        Map<String, String> reasons = new TreeMap<>();
        grants.forEach(g -> reasons.putAll(g.wildcards()));
        excuse(role, reasons);
    }

    /** Puts reasons on a role's policy, which must be there. @param reasons by resource with a wildcard, as the statement has it */
    static void excuse(Role role, Map<String, String> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        NagSuppressions.addResourceSuppressions(
                role.getNode().findChild("DefaultPolicy"),
                reasons.entrySet().stream()
                        .map(e -> NagPackSuppression.builder()
                                .id(RULE)
                                .appliesTo(List.of(finding(role, e.getKey())))
                                .reason(e.getValue())
                                .build())
                        .toList(),
                true);
    }

    /** A resource as cdk-nag names it, which reads the template: what is known of account and region stands there as it is, the rest as references. */
    private static String finding(Role role, String resource) {
        return "Resource::" + written(Stack.of(role).resolve(resource));
    }

    private static String written(Object resolved) {
        if (resolved instanceof Map<?, ?> map && map.get("Fn::Join") instanceof List<?> join) {
            return ((List<?>) join.get(1)).stream().map(Grant::written).collect(Collectors.joining());
        }
        if (resolved instanceof Map<?, ?> map && map.get("Fn::GetAtt") instanceof List<?> attribute) {
            return "<" + attribute.get(0) + "." + attribute.get(1) + ">";
        }
        if (resolved instanceof Map<?, ?> map && map.get("Ref") instanceof String reference) {
            return "<" + reference + ">";
        }
        return String.valueOf(resolved);
    }
}
