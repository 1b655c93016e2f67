package dev.stet.registry;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON as the registry reads and writes it: strict, with limits on what comes from outside. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(32)
                            .maxNumberLength(100)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Fields in the order of their names, so that equal requests are equal texts. */
    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /**
     * Reads one JSON object.
     *
     * @throws RegistryException when the text is anything else
     */
    public static ObjectNode parse(String text) throws RegistryException {
        JsonNode node;
        try {
            node = MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new RegistryException(ErrorCode.InvalidRequest, "the body is not valid JSON: " + firstLine(e));
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new RegistryException(ErrorCode.InvalidRequest, "the body is to be one JSON object");
    }

    /** Reads an object that this program wrote. */
    public static ObjectNode ours(String text) {
        return (ObjectNode) MAPPER.readTree(text);
    }

    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    static String sorted(JsonNode node) {
        return SORTED.writeValueAsString(node);
    }

    /** For people. */
    public static String indented(JsonNode node) {
        return INDENTED.writeValueAsString(node);
    }

    private static String firstLine(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage());
        return message.lines().findFirst().orElse("");
    }
}
