package dev.stet.infra;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.CustomResource;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.RemovalPolicy;
import software.constructs.Construct;

/**
 * A pipeline as code: {@code Custom::EltPipeline}, created, updated in place and deleted with its stack. The name stays as it is: a pipeline of another name is another
 * pipeline. Any tool that speaks CloudFormation can write the same resource; its service token is the export that {@link #export} names.
 */
public final class EltPipeline extends Construct {
    static final String TYPE = "Custom::EltPipeline";

    private final CustomResource resource;

    private EltPipeline(Construct scope, String id, Builder builder) {
        super(scope, id);
        Map<String, Object> properties = new HashMap<>();
        properties.put("name", builder.name);
        properties.put("source", builder.source);
        properties.put("sink", builder.sink);
        if (!builder.transform.isEmpty()) {
            properties.put("transform", Map.copyOf(builder.transform));
        }
        this.resource = CustomResource.Builder.create(this, "Resource")
                .resourceType(TYPE)
                .serviceToken(builder.serviceToken.orElseGet(() -> Fn.importValue(export(builder.stack))))
                .properties(properties)
                .serviceTimeout(Duration.minutes(10))
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
    }

    /** The export of the service token of the stack of Stet with this name; {@code Stet} unless it was deployed with another. */
    public static String export(String stackName) {
        return stackName + "EltPipelineServiceToken";
    }

    /** The pipeline's revision after the last change. */
    public String revision() {
        return resource.getAttString("revision");
    }

    /** Collects what the pipeline is. */
    public static final class Builder {
        private final Construct scope;
        private final String id;
        private String name;
        private String source = "";
        private String sink = "";
        private final Map<String, Object> transform = new HashMap<>();
        private String stack = Settings.DEFAULT_STACK;
        private Optional<String> serviceToken = Optional.empty();

        private Builder(Construct scope, String id) {
            this.scope = scope;
            this.id = id;
            this.name = id;
        }

        /** Begins one. Its name is {@code id} unless said otherwise. */
        public static Builder create(Construct scope, String id) {
            return new Builder(scope, id);
        }

        public Builder name(String value) {
            this.name = value;
            return this;
        }

        /** For instance {@code s3://devices/raw/}. */
        public Builder source(String uri) {
            this.source = uri;
            return this;
        }

        /** For instance {@code s3://lake/landing/}. */
        public Builder sink(String uri) {
            this.sink = uri;
            return this;
        }

        /** Fields of the transform in camelCase, as the API has them: {@code namespaceFields}, {@code batchPartitionFields}, … */
        public Builder transform(Map<String, Object> fields) {
            this.transform.putAll(fields);
            return this;
        }

        /** The stack of Stet that serves it, where that was deployed with another {@code stackName} than the usual. */
        public Builder stack(String stackName) {
            this.stack = stackName;
            return this;
        }

        /** Where the stack of Stet is not in this account and region's exports. */
        public Builder serviceToken(String arn) {
            this.serviceToken = Optional.of(arn);
            return this;
        }

        /** Makes it. @throws IllegalArgumentException when name, source or sink is missing */
        public EltPipeline build() {
            if (name.isEmpty() || source.isEmpty() || sink.isEmpty()) {
                throw new IllegalArgumentException("a pipeline has a name, a source and a sink: " + id);
            }
            return new EltPipeline(scope, id, this);
        }
    }
}
