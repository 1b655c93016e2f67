package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import tools.jackson.databind.JsonNode;

/** Pipelines as code. */
final class EltPipelineTest {
    private final Map<String, JsonNode> pipelines =
            Synthesis.template(Synthesis.PIPELINES).properties(EltPipeline.TYPE);

    @Test
    void aPipelineIsACustomResourceOverTheExportedToken() {
        assertThat(pipelines).hasSize(3);
        JsonNode gdpr = pipelines.entrySet().stream()
                .filter(p -> p.getKey().startsWith("gdpr"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertThat(Template.text(gdpr.path("ServiceToken"))).isEqualTo("<import StetEltPipelineServiceToken>");
        assertThat(gdpr.path("name").stringValue("")).isEqualTo("gdpr");
        assertThat(gdpr.path("source").stringValue("")).isEqualTo("s3://devices/raw/");
        assertThat(gdpr.path("sink").stringValue("")).isEqualTo("s3://lake/landing/");
        assertThat(gdpr.path("transform").toString())
                .contains("\"namespaceFields\":\"event_type\"")
                .contains("\"batchTimeUnit\":\"day\"");
    }

    @Test
    void anotherTokenAndNameMayBeGiven() {
        JsonNode other = pipelines.entrySet().stream()
                .filter(p -> p.getKey().startsWith("Other"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertThat(other.path("ServiceToken").stringValue("")).endsWith(":function:elt:live");
        assertThat(other.path("name").stringValue("")).isEqualTo("gates");
        assertThat(other.has("transform")).isFalse();
    }

    @Test
    void aStackOfStetWithAnotherNameIsFoundByIt() {
        JsonNode second = pipelines.entrySet().stream()
                .filter(p -> p.getKey().startsWith("Second"))
                .findFirst()
                .orElseThrow()
                .getValue();
        String imported = Template.text(second.path("ServiceToken"));
        assertThat(imported).isEqualTo("<import EverythingEltPipelineServiceToken>");
        JsonNode exported = Synthesis.template(Synthesis.FULL)
                .json()
                .path("Outputs")
                .path("EltPipelineServiceToken")
                .path("Export")
                .path("Name");
        assertThat(imported).isEqualTo("<import " + exported.stringValue("") + ">");
    }

    @Test
    void withoutASinkItIsRefused() {
        EltPipeline.Builder builder =
                EltPipeline.Builder.create(new Stack(new App(), "S"), "P").source("s3://devices/");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("P");
    }
}
