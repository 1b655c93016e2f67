package dev.stet.infra;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The policy of one function's role, evaluated as IAM does it: allowed is what a statement allows. There are no denials and no conditions in it, which is checked.
 *
 * @param handler class that the function runs
 */
record RolePolicy(String handler, List<Template.Statement> statements) {
    static final String STAGING = "arn:aws:s3:::stet-staging";
    static final String TABLE = "arn:aws:dynamodb:eu-central-1:111122223333:table/stet";
    static final String STATES = "arn:aws:states:eu-central-1:111122223333:";

    /** Of all functions. */
    static List<RolePolicy> all(Template template) {
        return template.properties("AWS::Lambda::Function").values().stream()
                .map(f -> of(template, f))
                .toList();
    }

    private static RolePolicy of(Template template, JsonNode function) {
        String role = function.path("Role").path("Fn::GetAtt").get(0).stringValue("");
        List<String> policies = template.properties("AWS::IAM::Policy").entrySet().stream()
                .filter(p -> p.getValue().path("Roles").toString().contains("\"" + role + "\""))
                .map(Map.Entry::getKey)
                .toList();
        String handler = function.path("Handler").stringValue("").replaceAll("^dev\\.stet\\.functions\\.|::.*$", "");
        return new RolePolicy(
                handler,
                template.statements().stream()
                        .filter(s -> policies.contains(s.policy()))
                        .toList());
    }

    boolean allows(String action, String arn) {
        return statements.stream().anyMatch(s -> allows(s, action, arn));
    }

    static boolean allows(Template.Statement statement, String action, String arn) {
        if (!statement.json().path("Effect").stringValue("").equals("Allow")
                || statement.json().has("Condition")) {
            throw new AssertionError("not understood: " + statement.json());
        }
        return statement.actions().contains(action)
                && statement.resources().stream()
                        .anyMatch(r -> glob(r).matcher(arn).matches());
    }

    RolePolicy without(Template.Statement statement) {
        return new RolePolicy(
                handler, statements.stream().filter(s -> !s.equals(statement)).toList());
    }

    private static Pattern glob(String resource) {
        String arn = resource.replace("<AWS::Partition>", "aws")
                .replace("<AWS::Region>", "eu-central-1")
                .replace("<AWS::AccountId>", "111122223333")
                .replaceAll("<StagingBucket\\w+\\.Arn>", STAGING)
                .replaceAll("<LedgerTable\\w+\\.Arn>", TABLE);
        return Pattern.compile("\\Q" + arn.replace("*", "\\E.*\\Q") + "\\E");
    }
}
