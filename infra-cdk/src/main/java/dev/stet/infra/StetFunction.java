package dev.stet.infra;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.Annotations;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Size;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.SnapStartConf;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.constructs.Construct;

/**
 * One function: Java 25 on ARM64, SnapStart on its published version, called through its alias alone; a role and a log group of its own. The role may write to
 * that log group and do what its statements say.
 */
final class StetFunction extends Construct {
    /** What stands behind the alias is replaced by a deployment; whoever calls names the alias. */
    static final String ALIAS = "live";

    private final Alias alias;

    /**
     * What a function is.
     *
     * @param handler class name in package dev.stet.functions
     * @param memory MiB; processor time comes with it
     * @param tmp MiB of scratch space
     * @param concurrency most invocations at once, taken from the account's; empty: no limit of its own
     */
    record Shape(String handler, int memory, int tmp, Duration timeout, Optional<Integer> concurrency) {}

    StetFunction(
            Construct scope, String id, Code code, Shape shape, Map<String, String> environment, List<Grant> grants) {
        super(scope, id);
        LogGroup logs = LogGroup.Builder.create(this, "Logs")
                .retention(RetentionDays.ONE_MONTH)
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        Role role = Role.Builder.create(this, "Role")
                .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
                .build();
        var _ = logs.grantWrite(role);
        Grant.give(role, grants);
        Map<String, String> variables = new HashMap<>(environment);
        // SQLite and zstd come with native code; the JVM would say so in every log.
        variables.put("JAVA_TOOL_OPTIONS", "--enable-native-access=ALL-UNNAMED");
        Function.Builder builder = Function.Builder.create(this, "Function")
                .runtime(Runtime.JAVA_25)
                .architecture(Architecture.ARM_64)
                .snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS)
                .code(code)
                .handler("dev.stet.functions." + shape.handler() + "::handleRequest")
                .memorySize(shape.memory())
                .ephemeralStorageSize(Size.mebibytes(shape.tmp()))
                .timeout(shape.timeout())
                .role(role)
                .logGroup(logs)
                .loggingFormat(LoggingFormat.JSON)
                .environment(variables);
        shape.concurrency().ifPresent(builder::reservedConcurrentExecutions);
        Function function = builder.build();
        // Its version is published right here, and the alias is all that anybody calls.
        Annotations.of(function).acknowledgeWarning("@aws-cdk/aws-lambda:snapStartRequirePublish");
        this.alias = Alias.Builder.create(this, "Alias")
                .aliasName(ALIAS)
                .version(function.getCurrentVersion())
                .build();
    }

    /** What everybody calls. */
    Alias alias() {
        return alias;
    }
}
