package dev.stet.functions;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What CloudFormation asks of a custom resource.
 *
 * @param type Create, Update or Delete
 * @param requestId the same when the event comes again
 * @param responseUrl where the answer is put
 * @param physicalId what an earlier answer said; none for Create
 */
record ResourceEvent(
        String type,
        String stackId,
        String logicalId,
        String requestId,
        String responseUrl,
        Optional<String> physicalId,
        ObjectNode properties) {
    static ResourceEvent of(ObjectNode event) {
        return new ResourceEvent(
                text(event, "RequestType"),
                text(event, "StackId"),
                text(event, "LogicalResourceId"),
                text(event, "RequestId"),
                text(event, "ResponseURL"),
                event.optional("PhysicalResourceId").map(JsonNode::asString),
                event.path("ResourceProperties") instanceof ObjectNode properties ? properties : event.objectNode());
    }

    private static String text(ObjectNode event, String field) {
        return event.path(field).asString("");
    }
}
