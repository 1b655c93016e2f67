package dev.stet.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.MathExpression;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.MetricOptions;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.sns.Topic;
import software.amazon.awscdk.services.stepfunctions.StateMachine;
import software.constructs.Construct;

/** What wakes somebody, and what they look at then. docs/operate.md says what each alarm means and what to do. */
final class Alarms extends Construct {
    private static final Duration HOUR = Duration.hours(1);

    private static final String LAG = "A new source object took more than six hours until it was committed.";

    private final Optional<SnsAction> tell;

    Alarms(
            Construct scope,
            String id,
            Settings settings,
            StateMachines machines,
            Notifications notifications,
            Functions functions) {
        super(scope, id);
        tell = settings.alarmTopic().map(arn -> new SnsAction(Topic.fromTopicArn(this, "Topic", arn)));
        String namespace = settings.metrics();
        IMetric late = ofStet(namespace, "oldest_commit_seconds", "Maximum");
        IMetric lag = ofStet(namespace, "lag_seconds", "Maximum");
        IMetric copied = ofStet(namespace, "records_copied", "Sum");
        IMetric quarantined = ofStet(namespace, "records_quarantined", "Sum");
        IMetric rate = MathExpression.Builder.create()
                .expression("IF(copied + quarantined > 0, 100 * quarantined / (copied + quarantined), 0)")
                .usingMetrics(Map.of("copied", copied, "quarantined", quarantined))
                .label("quarantined, per cent of records")
                .period(HOUR)
                .build();
        alarms(machines, notifications, late, lag, rate);
        stopped(
                "CompactionScheduleStopped",
                functions.schedule(),
                "Nobody looked at the buffers for two hours: nothing lands, and CompactionLate hears nothing.");
        stopped(
                "SweepStopped",
                functions.sweep(),
                "Nobody swept staging for two hours: what no commit needs stays there.");
        Alias workers = functions.copy().alias();
        var _ = Dashboard.Builder.create(this, "Dashboard")
                .widgets(List.of(
                        List.of(ends("Runs", machines.copy()), ends("Compactions", machines.compact())),
                        List.of(graph("Records", copied, quarantined), graph("Quarantined, per cent", rate)),
                        List.of(
                                graph("Lag, seconds", lag, late),
                                graph("Notifications", waiting(notifications), dead(notifications))),
                        List.of(
                                graph(
                                        "Copy workers",
                                        workers.metricInvocations(),
                                        workers.metricErrors(),
                                        workers.metricThrottles()),
                                graph("Copy worker, milliseconds", workers.metricDuration()))))
                .build();
    }

    private void alarms(StateMachines machines, Notifications notifications, IMetric late, IMetric lag, IMetric rate) {
        alarm(
                "RunFailed",
                unsuccessful(machines.copy()),
                1,
                1,
                "A run failed; DescribeRun tells why. Start it again: it goes on where it ended.");
        alarm(
                "CompactionFailed",
                unsuccessful(machines.compact()),
                1,
                1,
                "A compaction failed; the schedule goes on with it.");
        alarm(
                "DeadLetters",
                dead(notifications),
                1,
                1,
                "Notifications failed five times and lie in the dead-letter queue; the next run copies their objects all the same.");
        // More than the 90 minutes after which a batch that failed once comes again.
        alarm("NotificationsWait", waiting(notifications), 10_800, 3, "Notifications wait for more than three hours.");
        alarm("CompactionLate", late, 2 * 86_400, 1, "Committed records wait for landing for more than two days.");
        alarm(
                "QuarantineRate",
                rate,
                5,
                1,
                "More than five records in a hundred are set aside: a field list does not fit, or a producer changed.");
        // A message that fails again and again is a dead letter after five tries, 7.5 hours: what succeeds late is told
        // before.
        alarm("Lag", lag, 6 * 3_600, 1, LAG);
    }

    /** Silence is the alarm: a schedule that was disabled, or a function that cannot be called. */
    private void stopped(String id, StetFunction function, String meaning) {
        Alarm alarm = Alarm.Builder.create(this, id)
                .metric(function.alias()
                        .metricInvocations(MetricOptions.builder()
                                .statistic("Sum")
                                .period(HOUR)
                                .build()))
                .threshold(1)
                .evaluationPeriods(2)
                .comparisonOperator(ComparisonOperator.LESS_THAN_THRESHOLD)
                .treatMissingData(TreatMissingData.BREACHING)
                .alarmDescription(meaning)
                .build();
        tell.ifPresent(action -> alarm.addAlarmAction(action));
    }

    private static IMetric unsuccessful(StateMachine machine) {
        return MathExpression.Builder.create()
                .expression("FILL(failed, 0) + FILL(timedOut, 0) + FILL(aborted, 0)")
                .usingMetrics(Map.of(
                        "failed", machine.metricFailed(),
                        "timedOut", machine.metricTimedOut(),
                        "aborted", machine.metricAborted()))
                .label("failed, timed out or aborted")
                .build();
    }

    private static IMetric dead(Notifications notifications) {
        return notifications.dead().metricApproximateNumberOfMessagesVisible();
    }

    private static IMetric waiting(Notifications notifications) {
        return notifications.queue().metricApproximateAgeOfOldestMessage();
    }

    private static IWidget ends(String title, StateMachine machine) {
        return graph(title, machine.metricStarted(), machine.metricSucceeded(), machine.metricFailed());
    }

    /** Over all pipelines and functions; each is kept by itself too. */
    private static IMetric ofStet(String namespace, String name, String statistic) {
        return Metric.Builder.create()
                .namespace(namespace)
                .metricName(name)
                .statistic(statistic)
                .period(HOUR)
                .label(name)
                .build();
    }

    private void alarm(String id, IMetric metric, double threshold, int periods, String meaning) {
        Alarm alarm = Alarm.Builder.create(this, id)
                .metric(metric)
                .threshold(threshold)
                .evaluationPeriods(periods)
                .comparisonOperator(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD)
                .treatMissingData(TreatMissingData.NOT_BREACHING)
                .alarmDescription(meaning)
                .build();
        tell.ifPresent(action -> alarm.addAlarmAction(action));
    }

    private static IWidget graph(String title, IMetric... metrics) {
        return GraphWidget.Builder.create()
                .title(title)
                .left(List.of(metrics))
                .width(12)
                .build();
    }
}
