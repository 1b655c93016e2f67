package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@link NextRoundHandler} where maps have no ResultWriter but answer with all results: writes them where a ResultWriter would have, then goes on. */
public final class NextRoundOnMiniStack implements RequestStreamHandler {
    private final NextRoundHandler handler = new NextRoundHandler();
    private final S3Files files = new S3Files(S3Client.builder()
            .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL_S3")))
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .build());

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        ObjectNode event = (ObjectNode) JsonMapper.shared().readTree(in);
        JsonNode results = event.remove("copied");
        String bucket = event.at("/round/items/bucket").stringValue();
        List<String> items = new String(
                        files.read(bucket, event.at("/round/items/key").stringValue())
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .lines()
                .toList();
        ArrayNode succeeded = JsonMapper.shared().createArrayNode();
        for (int i = 0; i < items.size(); i++) {
            if (results.get(i).isObject()) {
                ObjectNode input = JsonMapper.shared().createObjectNode();
                input.set("item", JsonMapper.shared().readTree(items.get(i)));
                succeeded
                        .addObject()
                        .put("Input", input.toString())
                        .put("Output", results.get(i).toString());
            }
        }
        files.write(
                bucket,
                event.at("/round/results/prefix").stringValue() + "/map/SUCCEEDED_0.json",
                succeeded.toString().getBytes(StandardCharsets.UTF_8));
        handler.handleRequest(
                new ByteArrayInputStream(event.toString().getBytes(StandardCharsets.UTF_8)), out, context);
    }
}
