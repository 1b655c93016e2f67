package dev.stet.infra;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page that lists every permission beside the request that needs it. */
final class Permissions {
    /** Requests that only a crash before brings about, and what they are for. */
    private static final Map<String, String> AFTER_A_CRASH = Map.of(
            "s3:AbortMultipartUpload",
            "AbortMultipartUpload, of an upload that a dead worker or a failed one left open");

    /** Roles of services: what they ask for is not ours to record. */
    private static final Map<String, String> OF_SERVICES = new TreeMap<>(Map.of(
            "CallFunctions", "the states or schedules that call functions",
            "StartChildren", "a Distributed Map starts its children as executions of its own machine",
            "FollowChildren", "it waits for them and stops them with the run",
            "ItemsAndResults",
                    "it reads its items (ItemReader) and writes what came of them (ResultWriter), large ones in parts",
            "StartCompaction", "state Land, startExecution.sync",
            "FollowCompaction", "state Land waits for it and stops it with the run",
            "HearOfCompaction", "by this rule of the service it hears of the end"));

    private Permissions() {}

    /** What needs an action of a statement; empty if nothing does. */
    static Optional<String> reason(
            RolePolicy policy, Template.Statement statement, String action, List<Requests> recorded) {
        String operations = recorded.stream()
                .filter(r -> r.handler().equals(policy.handler()) && r.action().equals(action))
                .filter(r -> RolePolicy.allows(statement, action, r.arn()))
                .map(Requests::operation)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return operations.isEmpty() ? Optional.ofNullable(AFTER_A_CRASH.get(action)) : Optional.of(operations);
    }

    static String page(Template template, List<Requests> recorded) {
        StringBuilder page = new StringBuilder("""
                # Permissions

                Generated from the synthesized template and from the requests that functions made in a whole run (plan, copy, land, finish), with events, schedules and the registry:
                `functions/src/test/resources/requests.tsv`. The build holds three things: every request is allowed; without any one statement some request is refused; no statement has an action that
                nothing needs. `SOURCE`, `SINK`: the buckets of the context. Keys (`kms:Decrypt`, `kms:GenerateDataKey`) are added where the context names some; S3 uses them in the caller's name.

                Each function may also write its own log (`logs:CreateLogStream`, `logs:PutLogEvents` on its log group), and Lambda
                empties the queue for S3EventHandler (`sqs:ReceiveMessage`, `sqs:DeleteMessage`, `sqs:ChangeMessageVisibility`, `sqs:GetQueueAttributes`, `sqs:GetQueueUrl` on this one queue).

                ## Functions

                | function | permission | on | request |
                |---|---|---|---|
                """);
        RolePolicy.all(template).stream()
                .sorted(Comparator.comparing(RolePolicy::handler))
                .forEach(p -> rows(page, p, recorded));
        page.append("""

                ## State machines and schedules

                | role | permission | on | why |
                |---|---|---|---|
                """);
        for (Template.Statement s : template.statements()) {
            String role = s.policy().replaceAll("DefaultPolicy.*$", "");
            if (OF_SERVICES.containsKey(s.sid())) {
                row(page, role, String.join(", ", s.actions()), s, OF_SERVICES.get(s.sid()));
            } else if (s.resources().contains("*")) {
                row(
                        page,
                        role,
                        String.join(", ", s.actions()),
                        s,
                        "delivery of logs and traces; these actions know no resources");
            }
        }
        return page.toString();
    }

    private static void rows(StringBuilder page, RolePolicy policy, List<Requests> recorded) {
        for (Template.Statement s : policy.statements()) {
            if (!LeastPrivilegeTest.ofTheService(s)) {
                for (String action : s.actions()) {
                    row(
                            page,
                            policy.handler(),
                            action,
                            s,
                            reason(policy, s, action, recorded).orElse("nothing"));
                }
            }
        }
    }

    private static void row(StringBuilder page, String who, String what, Template.Statement on, String why) {
        String resources = on.resources().stream()
                .map(r -> r.replaceAll("arn:<AWS::Partition>:s3:::devices", "SOURCE")
                        .replaceAll("arn:<AWS::Partition>:s3:::lake", "SINK")
                        .replaceAll("<StagingBucket\\w+\\.Arn>", "staging")
                        .replaceAll("<LedgerTable\\w+\\.Arn>", "table")
                        .replaceAll("<(?:Functions)?(\\w+?)Alias\\w+>", "$1")
                        .replaceAll("^arn:<AWS::Partition>:\\w+:<AWS::Region>:<AWS::AccountId>:", ""))
                .map(r -> "`" + r + "`")
                .collect(Collectors.joining(", "));
        page.append("| %s | `%s` | %s | %s |\n".formatted(who, what.replace(", ", "`, `"), resources, why));
    }
}
