package dev.stet.functions;

import dev.stet.registry.Action;
import dev.stet.registry.Caller;
import dev.stet.registry.ErrorCode;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Resources of CloudFormation as pipelines of the registry. The physical id is the pipeline's name. A Create that was refused gets an id that no pipeline can have,
 * so that the Delete by which CloudFormation rolls it back removes nothing: least of all somebody else's pipeline of that name.
 */
final class EltPipelines {
    private static final String NOT_CREATED = "not-created:";

    private final Supplier<RegistryService> registry;
    private final ContractValues values;

    EltPipelines(Supplier<RegistryService> registry, ContractValues values) {
        this.registry = registry;
        this.values = values;
    }

    /** The id of what a refused Create did not make. */
    static String notCreated(ResourceEvent event) {
        return NOT_CREATED + event.requestId();
    }

    ResourceAnswer create(ResourceEvent event) throws RegistryException, IOException {
        ObjectNode request = definition(event).put("clientToken", token(event));
        ObjectNode made = registry.get().call(Action.CreatePipeline, request, caller(event));
        return ResourceAnswer.done(made.get("name").asString(), data(made));
    }

    /** Makes the pipeline what the event says, wholly: what is no longer said is as in a new one. */
    ResourceAnswer update(ResourceEvent event) throws RegistryException, IOException {
        String name = event.physicalId().orElseThrow();
        ObjectNode request = definition(event);
        String asked = request.path("name").asString("");
        if (!asked.equals(name)) {
            throw RegistryException.invalid(
                    "name",
                    "name: a pipeline keeps its name, which is " + name + "; for " + asked
                            + " write another resource beside this one, then remove this one");
        }
        return ResourceAnswer.done(name, data(registry.get().replacePipeline(request)));
    }

    ResourceAnswer delete(ResourceEvent event) throws RegistryException, IOException {
        String name = event.physicalId().orElse(NOT_CREATED);
        if (!name.startsWith(NOT_CREATED)) {
            try {
                ObjectNode _ = registry.get()
                        .call(
                                Action.DeletePipeline,
                                event.properties().objectNode().put("name", name),
                                caller(event));
            } catch (RegistryException e) {
                // A Delete that is repeated, or after somebody who was quicker.
                if (e.code() != ErrorCode.NotFound) {
                    throw e;
                }
            }
        }
        return ResourceAnswer.done(name, event.properties().objectNode());
    }

    private ObjectNode definition(ResourceEvent event) {
        ObjectNode definition = event.properties().deepCopy();
        // CloudFormation's own.
        definition.remove("ServiceToken");
        definition.remove("ServiceTimeout");
        return values.typed("CreatePipelineRequest", definition);
    }

    private static ObjectNode data(ObjectNode pipeline) {
        ObjectNode data = pipeline.objectNode();
        data.put("name", pipeline.get("name").asString());
        data.put("revision", pipeline.get("revision").asString());
        return data;
    }

    private static Caller caller(ResourceEvent event) {
        return new Caller(event.stackId(), Optional.empty());
    }

    /** The same for the same event, however often it comes. */
    private static String token(ResourceEvent event) {
        String all = event.stackId() + "\n" + event.logicalId() + "\n" + event.requestId();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
