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
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.sns.Topic;
import software.constructs.Construct;

/** What wakes somebody, and what they look at then. docs/operate.md says what each alarm means and what to do. */
final class Alarms extends Construct {
    private final Optional<SnsAction> tell;

    Alarms(
            Construct scope,
            String id,
            Settings settings,
            String namespace,
            StateMachines machines,
            Notifications notifications,
            Functions functions) {
        super(scope, id);
        tell = settings.alarmTopic().map(arn -> new SnsAction(Topic.fromTopicArn(this, "Topic", arn)));

        IMetric runsFailed = machines.copy().metricFailed();
        IMetric compactionsFailed = machines.compact().metricFailed();
        IMetric dead = notifications.dead().metricApproximateNumberOfMessagesVisible();
        IMetric waiting = notifications.queue().metricApproximateAgeOfOldestMessage();
        IMetric late = search(namespace, "oldest_commit_seconds", "Maximum");
        IMetric lag = search(namespace, "lag_seconds", "Maximum");
        IMetric quarantined = search(namespace, "records_quarantined", "Sum");
        IMetric copied = search(namespace, "records_copied", "Sum");
        IMetric rate = MathExpression.Builder.create()
                .expression("IF(copied + quarantined > 0, 100 * quarantined / (copied + quarantined), 0)")
                .usingMetrics(Map.of("copied", copied, "quarantined", quarantined))
                .label("quarantined, per cent of records")
                .period(Duration.hours(1))
                .build();

        alarm("RunFailed", runsFailed, 1, 1, "A run failed; DescribeRun tells why. Start it again: it goes on where it ended.");
        alarm("CompactionFailed", compactionsFailed, 1, 1, "A compaction failed; the schedule goes on with it.");
        alarm("DeadLetters", dead, 1, 1, "Notifications failed five times and lie in the dead-letter queue; the next run copies their objects all the same.");
        alarm("NotificationsWait", waiting, 3_600, 3, "Notifications wait for more than an hour.");
        alarm("CompactionLate", late, 2 * 86_400, 1, "Committed records wait for landing for more than two days.");
        alarm("QuarantineRate", rate, 5, 1, "More than five records in a hundred are set aside: a field list does not fit, or a producer changed.");
        alarm("Lag", lag, 86_400, 1, "The newest source object that is not landed is older than a day.");

        var _ = Dashboard.Builder.create(this, "Dashboard")
                .widgets(List.of(
                        List.<IWidget>of(
                                graph("Runs", machines.copy().metricStarted(), machines.copy().metricSucceeded(), runsFailed),
                                graph("Compactions", machines.compact().metricStarted(), machines.compact().metricSucceeded(), compactionsFailed)),
                        List.<IWidget>of(
                                graph("Records", copied, quarantined),
                                graph("Quarantined, per cent", rate)),
                        List.<IWidget>of(
                                graph("Lag, seconds", lag, late),
                                graph("Notifications", waiting, dead)),
                        List.<IWidget>of(
                                graph("Copy workers", functions.named().get("CopyFunction").alias().metricInvocations(), functions.named().get("CopyFunction").alias().metricErrors(), functions.named().get("CopyFunction").alias().metricThrottles()),
                                graph("Copy worker, milliseconds", functions.named().get("CopyFunction").alias().metricDuration()))))
                .build();
    }

    /** Over all pipelines and functions: metrics are kept by each. */
    private static IMetric search(String namespace, String name, String statistic) {
        return Metric.Builder.create()
                .namespace(namespace)
                .metricName(name)
                .statistic(statistic)
                .period(Duration.hours(1))
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

    private static GraphWidget graph(String title, IMetric... metrics) {
        return GraphWidget.Builder.create()
                .title(title)
                .left(List.of(metrics))
                .width(12)
                .build();
    }
}
