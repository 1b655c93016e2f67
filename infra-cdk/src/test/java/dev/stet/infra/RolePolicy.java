package dev.stet.infra;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the policies of one role allow, evaluated as IAM does it: allowed is what a statement allows. There are no denials and no conditions in them, which is checked.
 *
 * @param role logical id of the role
 */
record RolePolicy(String role, List<Template.Statement> statements) {
    /** Of all roles. */
    static List<RolePolicy> all(Template template) {
        return template.properties("AWS::IAM::Role").keySet().stream()
                .map(role -> new RolePolicy(role, statements(template, role)))
                .toList();
    }

    private static List<Template.Statement> statements(Template template, String role) {
        List<String> policies = template.properties("AWS::IAM::Policy").entrySet().stream()
                .filter(p -> p.getValue().path("Roles").toString().contains("\"" + role + "\""))
                .map(Map.Entry::getKey)
                .toList();
        return template.statements().stream()
                .filter(s -> policies.contains(s.policy()))
                .toList();
    }

    boolean allows(Need need) {
        return statements.stream().anyMatch(s -> allows(s, need));
    }

    static boolean allows(Template.Statement statement, Need need) {
        if (!statement.json().path("Effect").stringValue("").equals("Allow")
                || statement.json().has("Condition")) {
            throw new AssertionError("not understood: " + statement.json());
        }
        return statement.actions().contains(need.action())
                && statement.resources().stream()
                        .anyMatch(r -> glob(r).matcher(need.arn()).matches());
    }

    /** What of some needs is not allowed. */
    List<Need> refused(List<Need> needs) {
        return mine(needs).filter(n -> !allows(n)).toList();
    }

    /** Those of this role. */
    Stream<Need> mine(List<Need> needs) {
        return needs.stream().filter(n -> n.role().equals(role));
    }

    RolePolicy without(Template.Statement statement) {
        return new RolePolicy(
                role, statements.stream().filter(s -> !s.equals(statement)).toList());
    }

    private static Pattern glob(String resource) {
        return Pattern.compile("\\Q" + resource.replace("*", "\\E.*\\Q") + "\\E");
    }
}
