package dev.stet.aws.dynamodb;

import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a writer leaves in an item, to know its own write again when the answer was lost. */
final class Tokens {
    private Tokens() {}

    /** Drawn for this call, never counted on from an earlier one: a process that was restored from a snapshot shares all that it remembers with others. */
    static AttributeValue next() {
        return Row.string(UUID.randomUUID().toString());
    }
}
