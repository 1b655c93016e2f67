package dev.stet.infra;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page that lists every permission beside the request that needs it. */
final class Permissions {
    private Permissions() {}

    static String page(Template template, List<Need> needs) {
        Map<String, String> functions = new TreeMap<>();
        template.properties("AWS::Lambda::Function")
                .values()
                .forEach(f ->
                        functions.put(f.path("Role").path("Fn::GetAtt").get(0).stringValue(""), Needs.handler(f)));
        StringBuilder page = new StringBuilder("""
                # Permissions

                Generated from a synthesized template with every setting, from the requests that functions made in a whole run (plan by listings and by an inventory, copy, land, finish), with
                events, schedules and the registry (`functions/src/test/resources/requests.tsv`), and from what the deployed definitions and targets ask for. The build holds it both ways: everything a
                role is used for is allowed; without any one statement something is refused; no statement has an action or a resource that nothing needs.

                `SOURCE`, `SINK`, `INVENTORY`: the buckets of the context. Rows with a key or an inventory are there where the context names one; S3 uses keys in the caller's name.

                ## Functions

                Each function may also write its own log (`logs:CreateLogStream`, `logs:PutLogEvents` on its log group).

                | function | permission | on | request |
                |---|---|---|---|
                """);
        List<RolePolicy> policies = RolePolicy.all(template);
        policies.stream()
                .filter(p -> functions.containsKey(p.role()))
                .sorted(Comparator.comparing(p -> functions.getOrDefault(p.role(), "")))
                .forEach(p -> rows(page, functions.getOrDefault(p.role(), ""), p, needs));
        page.append("""

                ## State machines and schedules

                | role | permission | on | why |
                |---|---|---|---|
                """);
        policies.stream()
                .filter(p -> !functions.containsKey(p.role()))
                .forEach(p -> rows(page, p.role().replaceAll("[0-9A-F]{8}$", ""), p, needs));
        return page.toString();
    }

    private static void rows(StringBuilder page, String who, RolePolicy policy, List<Need> needs) {
        for (Template.Statement statement : policy.statements()) {
            if (statement.actions().contains("logs:PutLogEvents")) {
                continue;
            }
            Map<String, List<String>> actions = new LinkedHashMap<>();
            statement
                    .actions()
                    .forEach(a -> actions.computeIfAbsent(why(policy, statement, a, needs), _ -> new ArrayList<>())
                            .add(a));
            actions.forEach((why, list) -> page.append(
                    "| %s | `%s` | %s | %s |\n".formatted(who, String.join("`, `", list), resources(statement), why)));
        }
    }

    private static String why(RolePolicy policy, Template.Statement statement, String action, List<Need> needs) {
        return policy.mine(needs)
                .filter(n -> n.action().equals(action) && RolePolicy.allows(statement, n))
                .map(Need::why)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "))
                .replace(", S3, for ", ", ");
    }

    private static String resources(Template.Statement statement) {
        return statement.resources().stream()
                .map(r -> r.replaceAll("^arn:<AWS::Partition>:s3:::(devices|gates)", "SOURCE")
                        .replaceAll("^arn:<AWS::Partition>:s3:::lake(-eu)?", "SINK")
                        .replaceAll("^arn:<AWS::Partition>:s3:::inventories", "INVENTORY")
                        .replaceAll("<StagingBucket\\w+\\.Arn>", "staging")
                        .replaceAll("<LedgerTable\\w+\\.Arn>", "table")
                        .replaceAll("<NotificationsQueue\\w+\\.Arn>", "queue")
                        .replaceAll("^arn:aws:kms:.*8f4f-([a-z]+)(-eu)?$", "key of $1")
                        .replaceAll("<(?:Functions)?(\\w+?)Alias\\w+>", "$1")
                        .replaceAll("^arn:<AWS::Partition>:\\w+:eu-central-1:111122223333:", "")
                        .replace(Synthesis.FULL + "-", Settings.DEFAULT_STACK + "-"))
                .distinct()
                .map(r -> "`" + r + "`")
                .collect(Collectors.joining(", "));
    }
}
