package dev.stet.aws.dynamodb;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What must be so of an item for a change to be applied. Names of values begin with {@code :c}. */
record Condition(String expression, Map<String, AttributeValue> values) {
    static Condition absent() {
        return new Condition("attribute_not_exists(" + Row.PARTITION + ")", Map.of());
    }

    /** An item that is not there equals nothing. */
    static Condition equal(String name, AttributeValue value) {
        return new Condition(name + " = :c", Map.of(":c", value));
    }

    static Condition oneOf(String name, AttributeValue a, AttributeValue b) {
        return new Condition(name + " IN (:c, :c2)", Map.of(":c", a, ":c2", b));
    }
}
