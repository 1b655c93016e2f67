package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
    void thereIsADashboard() {
        assertThat(Synthesis.template(Synthesis.PLAIN).resources("AWS::CloudWatch::Dashboard"))
                .hasSize(1);
    }
}
