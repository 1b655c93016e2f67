package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Every role is confined to what it is used for, no less and no more. For functions that is what was recorded of a whole run, of events, schedules and the registry; for
 * state machines, schedules and Lambda itself, what the deployed definitions and targets ask for. Both are held against the policies that are deployed.
 */
final class LeastPrivilegeTest {
    private static final Path PAGE = Path.of("..", "docs", "permissions.md");

    private final Template template = Synthesis.template(Synthesis.FULL);
    private final List<RolePolicy> policies = RolePolicy.all(template);
    private final List<Requests> recorded = Requests.recorded();
    private final List<Need> needs = Needs.of(template, recorded);

    @Test
    void everyFunctionWasSeenAtWork() {
        assertThat(template.properties("AWS::Lambda::Function").values().stream()
                        .map(Needs::handler))
                .containsExactlyInAnyOrderElementsOf(
                        recorded.stream().map(Requests::handler).distinct().toList());
    }

    @Test
    void everythingThatARoleIsUsedForIsAllowed() {
        assertThat(policies.stream().flatMap(p -> p.refused(needs).stream())).isEmpty();
        assertThat(needs.stream().map(Need::role).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        policies.stream().map(RolePolicy::role).toList());
    }

    @Test
    void withoutAnyOneStatementSomethingIsRefused() {
        int statements = 0;
        for (RolePolicy policy : policies) {
            for (Template.Statement statement : policy.statements()) {
                statements++;
                assertThat(policy.without(statement).refused(needs))
                        .as(policy.role() + " without " + statement.json())
                        .isNotEmpty();
            }
        }
        assertThat(statements).isGreaterThan(80);
    }

    @Test
    void noStatementHasAnActionThatNothingNeeds() {
        List<String> spare = new ArrayList<>();
        for (RolePolicy policy : policies) {
            for (Template.Statement statement : policy.statements()) {
                for (String action : statement.actions()) {
                    if (policy.mine(needs)
                            .noneMatch(n -> n.action().equals(action) && RolePolicy.allows(statement, n))) {
                        spare.add(policy.role() + " " + statement.sid() + " " + action);
                    }
                }
            }
        }
        assertThat(spare).isEmpty();
    }

    @Test
    void noStatementNamesAResourceThatNothingNeeds() {
        List<String> spare = new ArrayList<>();
        for (RolePolicy policy : policies) {
            for (Template.Statement statement : policy.statements()) {
                for (String resource : statement.resources()) {
                    if (policy.mine(needs).noneMatch(n -> RolePolicy.allows(statement.on(resource), n))) {
                        spare.add(policy.role() + " " + statement.sid() + " " + resource);
                    }
                }
            }
        }
        assertThat(spare).isEmpty();
    }

    @Test
    void thePageOfPermissionsIsCurrent() throws Exception {
        String page = Permissions.page(template, needs);
        Path written = Files.writeString(Files.createTempFile("permissions", ".md"), page);
        assertThat(page)
                .as("another page, see " + written + "; if that is meant, copy it to " + PAGE)
                .isEqualTo(Files.readString(PAGE));
    }

    /** Kept honest: the evaluator refuses what no statement says. */
    @Test
    void aRequestThatNobodyGrantedIsRefused() {
        String s3 = "arn:<AWS::Partition>:s3:::";
        for (RolePolicy policy : policies) {
            Map.of(
                            "s3:PutObject",
                            s3 + "devices/any/key",
                            "s3:DeleteObject",
                            s3 + "lake/any/key",
                            "s3:GetObject",
                            s3 + "devices-other/any/key",
                            "lambda:InvokeFunction",
                            "<SomeAlias>",
                            "states:StartExecution",
                            "arn:<AWS::Partition>:states:eu-central-1:111122223333:stateMachine:Other",
                            "kms:GenerateDataKey",
                            Synthesis.key("source"),
                            "dynamodb:DeleteTable",
                            "<LedgerTable.Arn>")
                    .forEach((action, arn) -> assertThat(policy.allows(new Need(policy.role(), action, arn, "")))
                            .as(policy.role() + " " + action)
                            .isFalse());
        }
    }
}
