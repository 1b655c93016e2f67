package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Context given and context that cannot be. */
final class SettingsTest {
    private static final Map<String, Object> LEAST = Map.of("sourceBucket", "devices", "sinkBucket", "lake");

    @Test
    void twoBucketsAreEnough() {
        Settings settings = Settings.of(LEAST);
        assertThat(settings.sources()).containsExactly("devices");
        assertThat(settings.sinks()).containsExactly("lake");
        assertThat(settings.stackName()).isEqualTo("Stet");
        assertThat(settings.metrics()).isEqualTo("Stet");
        assertThat(settings.jwt()).isEmpty();
        assertThat(settings.storage().retain()).isTrue();
    }

    @Test
    void severalBucketsStandWithCommasOrInAList() {
        assertThat(with("sourceBucket", "devices, gates").sources()).containsExactly("devices", "gates");
        assertThat(with("sourceBucket", List.of("devices", "gates")).sources()).containsExactly("devices", "gates");
    }

    @Test
    void numbersAndFlagsOfCdkJsonAreTaken() {
        assertThat(with("copyConcurrency", 800).workers().copy()).contains(800);
        assertThat(with("retain", false).storage().retain()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sourceBucket     |                     | name an existing bucket: -c sourceBucket=BUCKET
                    sinkBucket       | s3://lake           | sinkBucket: the name of a bucket, not s3://lake
                    inventoryBucket  | In                  | inventoryBucket: the name of a bucket, not In
                    stagingBucket    | lake                | stagingBucket: a bucket of its own, neither source, sink nor inventory, not lake
                    sinkBucket       | devices             | sinkBucket: another bucket than sourceBucket, not devices: a role that lands there could write to the source
                    tableName        | a/b                 | tableName: the name of a table of DynamoDB, not a/b
                    stackName        | my_stack            | stackName: letters, digits and hyphens, at most 60, a letter first, not my_stack
                    jwtIssuer        | https://example.com | jwtIssuer and jwtAudience go together
                    jwtAudience      | elt                 | jwtIssuer and jwtAudience go together
                    domain           | example.com         | domain and certificateArn go together
                    domain           | https://example.com | domain: a domain such as example.com, not https://example.com
                    certificateArn   | mine                | certificateArn: an ARN, arn:aws:acm:REGION:ACCOUNT:certificate/ID, not mine
                    alarmTopicArn    | pager               | alarmTopicArn: an ARN, arn:aws:sns:REGION:ACCOUNT:TOPIC, not pager
                    sourceKmsKeyArns | alias/foo           | sourceKmsKeyArns: an ARN, arn:aws:kms:REGION:ACCOUNT:key/ID, not alias/foo
                    sinkKmsKeyArns   | arn:aws:kms:eu-central-1:111122223333:alias/foo | sinkKmsKeyArns: an ARN, arn:aws:kms:REGION:ACCOUNT:key/ID, not arn:aws:kms:eu-central-1:111122223333:alias/foo
                    stagingKmsKeyArn | alias/foo           | stagingKmsKeyArn: an ARN, arn:aws:kms:REGION:ACCOUNT:key/ID, not alias/foo
                    copyConcurrency  | many                | copyConcurrency: a number from 1 to 10000, not many
                    copyConcurrency  | 0                   | copyConcurrency: a number from 1 to 10000, not 0
                    landConcurrency  | 10001               | landConcurrency: a number from 1 to 10000, not 10001
                    retain           | no                  | retain: true or false, not no
                    copyConcurency   | 5                   | copyConcurency: there is no such setting; is it copyConcurrency?
                    jwtIsuer         | https://example.com | jwtIsuer: there is no such setting; is it jwtIssuer?
                    source-bucket    | devices             | source-bucket: there is no such setting; is it sourceBucket?
                    STACKNAME        | Mine                | STACKNAME: there is no such setting; is it stackName?
                    colour           | blue                | colour: there is no such setting
                    """)
    void whatCannotBeIsNamed(String name, String value, String message) {
        assertThatThrownBy(() -> with(name, value == null ? "" : value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void aListWhereOneValueIsMeantAndAnObjectAnywhereAreRefused() {
        assertThatThrownBy(() -> with("tableName", List.of("one", "two")))
                .hasMessage("tableName: one value, not a list");
        assertThatThrownBy(() -> with("sourceBucket", Map.of("name", "devices")))
                .hasMessage("sourceBucket: a text, not an object");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@aws-cdk/core:checkSecretUsage",
                "aws:cdk:enable-path-metadata",
                "aws-cdk:enableDiffNoFail",
                "availability-zones:account=1:region=eu-central-1",
                "hosted-zone:account=1:domainName=example.com:region=eu-central-1",
                "acknowledged-issue-numbers",
                "cli-telemetry"
            })
    void whatTheCdkPutsIntoContextIsNoneOfOurs(String name) {
        assertThat(with(name, List.of(1)).sources()).containsExactly("devices");
    }

    @Test
    void anIssuerIsAnHttpsAddress() {
        Map<String, Object> context = new HashMap<>(LEAST);
        context.put("jwtIssuer", "login.example.com");
        context.put("jwtAudience", "elt");
        assertThatThrownBy(() -> Settings.of(context)).hasMessageContaining("an https:// address, not");
    }

    private static Settings with(String name, Object value) {
        Map<String, Object> context = new HashMap<>(LEAST);
        context.put(name, value);
        return Settings.of(context);
    }
}
