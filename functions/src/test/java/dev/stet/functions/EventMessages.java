package dev.stet.functions;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes batches of messages with S3's notifications, as a queue delivers them. */
final class EventMessages {
    private final ObjectNode batch = JsonMapper.shared().createObjectNode();
    private final ArrayNode records = batch.putArray("Records");

    /** One message that tells of one key of a bucket. */
    EventMessages tell(String bucket, String fullKey, String eventName) {
        ObjectNode body = JsonMapper.shared().createObjectNode();
        ObjectNode record = body.putArray("Records").addObject();
        record.put("eventSource", "aws:s3").put("eventName", eventName);
        ObjectNode s3 = record.putObject("s3");
        s3.putObject("bucket").put("name", bucket);
        s3.putObject("object").put("key", URLEncoder.encode(fullKey, StandardCharsets.UTF_8));
        return message(body.toString());
    }

    EventMessages message(String body) {
        records.addObject()
                .put("messageId", "m" + records.size())
                .put("body", body)
                .put("eventSource", "aws:sqs");
        return this;
    }

    ObjectNode batch() {
        return batch;
    }

    /** Of an answer: which messages are to come again. */
    static List<String> again(JsonNode answer) {
        List<String> ids = new ArrayList<>();
        answer.get("batchItemFailures")
                .values()
                .forEach(f -> ids.add(f.get("itemIdentifier").stringValue()));
        return ids;
    }
}
