package dev.stet.functions;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What CloudFormation is told.
 *
 * @param refusal why not; empty: done
 * @param data attributes of the resource
 */
record ResourceAnswer(String physicalId, Optional<String> refusal, Optional<ObjectNode> data) {
    /** CloudFormation takes 4096 bytes in all, and shows the reason to people. */
    private static final int MAX_REASON = 1_000;

    static ResourceAnswer done(String physicalId, ObjectNode data) {
        return new ResourceAnswer(physicalId, Optional.empty(), Optional.of(data));
    }

    static ResourceAnswer refused(String physicalId, String why) {
        return new ResourceAnswer(
                physicalId, Optional.of(why.substring(0, Math.min(MAX_REASON, why.length()))), Optional.empty());
    }

    ObjectNode to(ResourceEvent event) {
        ObjectNode json = event.properties().objectNode();
        json.put("Status", refusal.isEmpty() ? "SUCCESS" : "FAILED")
                .put("Reason", refusal.orElse(""))
                .put("PhysicalResourceId", physicalId)
                .put("StackId", event.stackId())
                .put("RequestId", event.requestId())
                .put("LogicalResourceId", event.logicalId());
        data.ifPresent(d -> json.set("Data", d));
        return json;
    }
}
