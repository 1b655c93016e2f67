package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every function is confined to what its requests need, no less and no more: the requests of a whole run, of events, schedules and the registry are held against
 * the policies that are deployed.
 */
final class LeastPrivilegeTest {
    private static final Path PAGE = Path.of("..", "docs", "permissions.md");

    private final List<RolePolicy> policies = RolePolicy.all(Synthesis.template(Synthesis.PLAIN));
    private final List<Requests> recorded = Requests.recorded();

    @Test
    void everyFunctionWasSeenAtWork() {
        assertThat(policies.stream().map(RolePolicy::handler))
                .containsExactlyInAnyOrderElementsOf(
                        recorded.stream().map(Requests::handler).distinct().toList());
    }

    @Test
    void everyRequestOfEveryFunctionIsAllowed() {
        assertThat(policies.stream().flatMap(p -> refused(p).stream())).isEmpty();
    }

    @Test
    void withoutAnyOneStatementARequestIsRefused() {
        int statements = 0;
        for (RolePolicy policy : policies) {
            for (Template.Statement statement : policy.statements()) {
                if (!ofTheService(statement)) {
                    statements++;
                    assertThat(refused(policy.without(statement)))
                            .as(policy.handler() + " without " + statement.sid())
                            .isNotEmpty();
                }
            }
        }
        assertThat(statements).isGreaterThan(30);
    }

    @Test
    void noStatementHasAnActionThatNoRequestNeeds() {
        List<String> spare = new ArrayList<>();
        for (RolePolicy policy : policies) {
            for (Template.Statement statement : policy.statements()) {
                for (String action : statement.actions()) {
                    if (!ofTheService(statement)
                            && Permissions.reason(policy, statement, action, recorded)
                                    .isEmpty()) {
                        spare.add(policy.handler() + " " + statement.sid() + " " + action);
                    }
                }
            }
        }
        assertThat(spare).isEmpty();
    }

    @Test
    void thePageOfPermissionsIsCurrent() throws Exception {
        String page = Permissions.page(Synthesis.template(Synthesis.PLAIN), recorded);
        Path written = Files.writeString(Files.createTempFile("permissions", ".md"), page);
        assertThat(page)
                .as("another page, see " + written + "; if that is meant, copy it to " + PAGE)
                .isEqualTo(Files.readString(PAGE));
    }

    private List<Requests> refused(RolePolicy policy) {
        return recorded.stream()
                .filter(r -> r.handler().equals(policy.handler()))
                .filter(r -> !policy.allows(r.action(), r.arn()))
                .toList();
    }

    /** Used by Lambda itself: for logs, and to empty the queue for the function. */
    static boolean ofTheService(Template.Statement statement) {
        return statement.actions().equals(List.of("logs:CreateLogStream", "logs:PutLogEvents"))
                || statement.actions().stream().allMatch(a -> a.startsWith("sqs:"));
    }

    /** Kept honest: the evaluator refuses what no statement says. */
    @Test
    void aRequestThatNobodyGrantedIsRefused() {
        for (RolePolicy policy : policies) {
            Map.of(
                            "s3:PutObject", "arn:aws:s3:::devices/any/key",
                            "s3:DeleteObject", "arn:aws:s3:::lake/any/key",
                            "dynamodb:DeleteTable", RolePolicy.TABLE,
                            "dynamodb:GetItem", RolePolicy.TABLE + "-other",
                            "s3:GetObject", "arn:aws:s3:::devices-other/any/key")
                    .forEach((action, arn) -> assertThat(policy.allows(action, arn))
                            .as(policy.handler() + " " + action)
                            .isFalse());
        }
    }
}
