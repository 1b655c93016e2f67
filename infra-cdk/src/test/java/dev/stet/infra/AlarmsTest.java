package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What wakes somebody. */
final class AlarmsTest {
    @Test
    void eachAlarmSaysWhatItMeansAndTellsTheTopicIfThereIsOne() {
        Map<String, JsonNode> plain = Synthesis.template(Synthesis.PLAIN).properties("AWS::CloudWatch::Alarm");
        assertThat(plain.keySet().stream().map(id -> id.replaceAll("^Alarms|[0-9A-F]{8}$", "")))
                .containsExactlyInAnyOrder(
                        "RunFailed",
                        "CompactionFailed",
                        "DeadLetters",
                        "NotificationsWait",
                        "CompactionLate",
                        "QuarantineRate",
                        "CompactionScheduleStopped",
                        "SweepStopped",
                        "Lag");
        plain.values().forEach(a -> {
            assertThat(a.path("AlarmDescription").stringValue("").length()).isGreaterThan(30);
            assertThat(a.has("AlarmActions")).isFalse();
        });
        Synthesis.template(Synthesis.FULL)
                .properties("AWS::CloudWatch::Alarm")
                .values()
                .forEach(a -> assertThat(a.path("AlarmActions").toString()).contains(":pager"));
    }

    @Test
    void silenceOfASchedulesFunctionIsAnAlarm() {
        List<JsonNode> silent =
                Synthesis.template(Synthesis.PLAIN).properties("AWS::CloudWatch::Alarm").values().stream()
                        .filter(a -> a.path("TreatMissingData").stringValue("").equals("breaching"))
                        .toList();
        assertThat(silent).hasSize(2).allSatisfy(a -> {
            assertThat(a.path("Namespace").stringValue("")).isEqualTo("AWS/Lambda");
            assertThat(a.path("MetricName").stringValue("")).isEqualTo("Invocations");
            assertThat(a.path("ComparisonOperator").stringValue("")).isEqualTo("LessThanThreshold");
            assertThat(a.path("Dimensions").toString()).contains("Resource");
        });
    }

    /** The functions' tests hold that list against what is emitted, with the empty set of dimensions. */
    @Test
    void alarmsAndDashboardNameOnlyMetricsThatFunctionsEmit() throws Exception {
        List<String> emitted =
                Files.readAllLines(Path.of("..", "functions", "src", "test", "resources", "metrics.txt"));
        List<JsonNode> looked = new ArrayList<>();
        Synthesis.template(Synthesis.PLAIN)
                .properties("AWS::CloudWatch::Alarm")
                .values()
                .forEach(alarm -> {
                    looked.add(alarm);
                    alarm.path("Metrics")
                            .values()
                            .forEach(m -> looked.add(m.path("MetricStat").path("Metric")));
                });
        List<JsonNode> ours = looked.stream()
                .filter(m -> m.path("Namespace").stringValue("").equals("Stet"))
                .toList();
        assertThat(ours).hasSizeGreaterThanOrEqualTo(4).allSatisfy(m -> {
            assertThat(emitted).contains(m.path("MetricName").stringValue(""));
            assertThat(m.path("Dimensions").isEmpty()).isTrue();
        });
        String dashboard = Template.text(Synthesis.template(Synthesis.PLAIN)
                .only("AWS::CloudWatch::Dashboard")
                .path("Properties")
                .path("DashboardBody"));
        Matcher shown = Pattern.compile("\"Stet\",\"(\\w+)\"").matcher(dashboard);
        int found = 0;
        while (shown.find()) {
            found++;
            assertThat(emitted).contains(shown.group(1));
        }
        assertThat(found).isGreaterThanOrEqualTo(4);
    }

    @Test
    void metricsOfAStackWithAnotherNameLieUnderThatName() {
        Template full = Synthesis.template(Synthesis.FULL);
        List<String> namespaces = new ArrayList<>();
        full.properties("AWS::CloudWatch::Alarm").values().forEach(alarm -> {
            namespaces.add(alarm.path("Namespace").stringValue("AWS/"));
            alarm.path("Metrics")
                    .values()
                    .forEach(m -> namespaces.add(m.path("MetricStat")
                            .path("Metric")
                            .path("Namespace")
                            .stringValue("AWS/")));
        });
        full.properties("AWS::Lambda::Function")
                .values()
                .forEach(f -> namespaces.add(f.path("Environment")
                        .path("Variables")
                        .path("STET_METRICS_NAMESPACE")
                        .stringValue("")));
        assertThat(namespaces.stream().filter(n -> !n.startsWith("AWS/")).distinct())
                .containsExactly("Stet/Everything");
    }

    /** A message that fails is handed out again after the visibility timeout, and is a dead letter after some tries. */
    @Test
    void lagIsToldBeforeAMessageIsADeadLetterAndOneFailedTryIsNoReasonToWakeAnybody() {
        Template plain = Synthesis.template(Synthesis.PLAIN);
        JsonNode queue = plain.properties("AWS::SQS::Queue").values().stream()
                .filter(q -> q.has("RedrivePolicy"))
                .findFirst()
                .orElseThrow();
        int timeout = queue.path("VisibilityTimeout").intValue(0);
        int tries = queue.path("RedrivePolicy").path("maxReceiveCount").intValue(0);
        assertThat(threshold(plain, "AlarmsLag")).isBetween(2 * timeout, tries * timeout - 1);
        assertThat(threshold(plain, "AlarmsNotificationsWait")).isBetween(timeout + 1, tries * timeout - 1);
    }

    private static int threshold(Template template, String alarm) {
        return template.properties("AWS::CloudWatch::Alarm").entrySet().stream()
                .filter(a -> a.getKey().startsWith(alarm))
                .findFirst()
                .orElseThrow()
                .getValue()
                .path("Threshold")
                .intValue(0);
    }

    @Test
    void thereIsADashboard() {
        assertThat(Synthesis.template(Synthesis.PLAIN).resources("AWS::CloudWatch::Dashboard"))
                .hasSize(1);
    }
}
