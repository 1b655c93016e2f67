package dev.stet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.config.ConfigContext;
import dev.stet.config.ConfigFile;
import dev.stet.config.PipelineConfig;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineDefinitionTest {
    private static final Path HERE = Path.of("/srv/here");

    private static PipelineDefinition define(String json) throws RegistryException {
        return PipelineDefinition.of(Json.parse(json), HERE);
    }

    @Test
    void allFieldsMeanWhatTheirNamesakesInYamlMean() throws Exception {
        PipelineConfig expected = ConfigFile.parse("stet.yml", """
                pipelines:
                  gdpr:
                    type: copy
                    include: ["2021/**", "2022/**"]
                    exclude: "*.tmp"
                    buffer_threshold_seconds: 60
                    buffer_threshold_bytes: 2MiB
                    max_object_bytes: 1048576
                    data_source: data_sources.raw
                    data_sink: data_sinks.landing
                    transform:
                      namespace_fields: event_type,kind
                      batch_partition_fields: [["detail.tenant_id", "tenant_id"], [region]]
                      partition_name: [tenant, ""]
                      partition_prefix: q_
                      batch_time_fields: [time, "odd,name"]
                      batch_time_unit: hour
                      time_partition_prefix: p_
                      time_partition_padding: none
                      record_field_path: Records
                      overrides: { door: { batch_partition_fields: truck, partition_name: truck, batch_time_fields: at } }
                      on_missing: { partition: none }
                data_sources:
                  raw: { S3: { s3_bucket: devices, s3_prefix: raw/, region: eu-west-1, endpoint_url: "http://h", requester_pays: true } }
                data_sinks:
                  landing: { File: { output_dir: ./lake, compression: gzip } }
                """, new ConfigContext(HERE, n -> Optional.empty()))
                .pipeline(Optional.empty())
                .config();
        PipelineDefinition actual = define("""
                {"name": "gdpr",
                 "source": {"S3": {"s3Bucket": "devices", "s3Prefix": "raw/", "region": "eu-west-1",
                                   "endpointUrl": "http://h", "requesterPays": true}},
                 "sink": {"File": {"outputDir": "./lake", "compression": "gzip"}},
                 "include": ["2021/**", "2022/**"], "exclude": "*.tmp",
                 "bufferThresholdSeconds": 60, "bufferThresholdBytes": "2MiB", "maxObjectBytes": 1048576,
                 "transform": {
                   "namespaceFields": "event_type,kind",
                   "batchPartitionFields": [["detail.tenant_id", "tenant_id"], ["region"]],
                   "partitionName": ["tenant", ""], "partitionPrefix": "q_",
                   "batchTimeFields": ["time", "odd,name"], "batchTimeUnit": "hour",
                   "timePartitionPrefix": "p_", "timePartitionPadding": "none", "recordFieldPath": "Records",
                   "overrides": {"door": {"batchPartitionFields": "truck", "partitionName": "truck", "batchTimeFields": "at"}},
                   "onMissing": {"partition": "none"}}}""");
        assertThat(actual.config()).isEqualTo(expected);
        assertThat(PipelineDefinition.stored(Json.ours(Json.text(actual.json())))
                        .config())
                .as("stored and read back")
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "s3://devices/raw/, s3://lake/landing, copy",
        "raw, /lake, copy",
        "file:///raw, S3://lake, copy",
        "postgres://orders, iceberg://lake/orders, external",
        "s3://devices/raw/, iceberg://lake/orders, external",
    })
    void theTypeFollowsFromTheEnds(String source, String sink, String type) throws Exception {
        PipelineDefinition definition = define("""
                {"name": "p", "source": "%s", "sink": "%s", "transform": {"batchTimeFields": "time"}}""".formatted(source, sink));
        assertThat(definition.type()).isEqualTo(type);
    }

    @Test
    void directoriesBecomeAbsolute() throws Exception {
        PipelineDefinition definition = define("""
                {"name": "p", "source": "raw/../in", "sink": {"File": {"outputDir": "out"}},
                 "transform": {"namespace": "x"}}""");
        assertThat(definition.json().get("source").asString()).isEqualTo("/srv/here/in");
        assertThat(definition.json().at("/sink/File/outputDir").asString()).isEqualTo("/srv/here/out");
    }

    @ParameterizedTest
    @CsvSource({
        "'', transform",
        "', \"transform\": {}', transform",
        "', \"transform\": {\"partitionPrefix\": \"q_\"}', transform"
    })
    void aCopyPipelineMustSayWhereRecordsGo(String transform, String field) {
        assertThatThrownBy(() ->
                        define("{\"name\": \"p\", \"source\": \"s3://a\", \"sink\": \"s3://b\"" + transform + "}"))
                .hasMessageContaining("transform.namespaceFields")
                .hasMessageContaining("transform.batchPartitionFields")
                .hasMessageContaining("transform.batchTimeFields")
                .isInstanceOfSatisfying(
                        RegistryException.class, e -> assertThat(e.field()).contains(field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"batchTimeUnit\": \"week\"                                   | transform.batchTimeUnit",
                "\"partitionName\": [\"a\", \"b\"], \"batchPartitionFields\": \"x\" | transform.partitionName",
                "\"namespaceFields\": \"a,,b\"                                 | transform.namespaceFields",
                "\"onMissing\": {\"time\": \"a/b\"}                            | transform.onMissing.time",
                "\"namespace\": \"x\", \"namespaceFields\": \"y\"              | transform.namespace",
            })
    void whatCannotBeIsRefusedNamingTheField(String settings, String field) {
        assertThatThrownBy(() -> define("""
                        {"name": "p", "source": "s3://a", "sink": "s3://b",
                         "transform": {"batchTimeFields": "time", %s}}""".formatted(settings)))
                .isInstanceOfSatisfying(
                        RegistryException.class, e -> assertThat(e.field()).contains(field));
    }

    @Test
    void movingAnEndSaysWhatItMeansForOffsets() throws Exception {
        PipelineDefinition before = define(
                "{\"name\": \"p\", \"source\": \"s3://a\", \"sink\": \"s3://b\", \"transform\": {\"namespace\": \"x\"}}");
        PipelineDefinition after = define(
                "{\"name\": \"p\", \"source\": \"s3://a2\", \"sink\": \"s3://b2\", \"transform\": {\"namespace\": \"x\"}}");
        assertThat(before.consequencesOf(before)).isEmpty();
        assertThat(before.consequencesOf(after)).hasSize(2).allMatch(s -> s.contains("offsets"));
    }
}
