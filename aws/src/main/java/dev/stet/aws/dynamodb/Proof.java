package dev.stet.aws.dynamodb;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Tells whose write it was. Each write puts a token that nobody else has into one item; a write that was applied, whose answer was lost and which the SDK
 * sent again is refused, but the item holds its token.
 *
 * @param key of the item; it must stay as long as the answer is waited for
 * @param attribute that no other kind of write touches
 */
record Proof(Map<String, AttributeValue> key, String attribute, AttributeValue token) {
    boolean isIn(Row row) {
        return token.equals(row.attributes().get(attribute));
    }
}
