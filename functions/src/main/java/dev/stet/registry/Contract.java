package dev.stet.registry;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI document: what requests and answers look like. Requests are checked by it and by nothing else of their form. Thread-safe. */
public final class Contract {
    private static final String RESOURCE = "openapi.json";
    private static final String SCHEMAS = "/components/schemas/";

    private final ObjectNode document;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    private Contract(ObjectNode document) {
        this.document = document;
    }

    public static Contract load() {
        try (InputStream in = Contract.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing");
            }
            return new Contract(Json.ours(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ObjectNode document() {
        return document.deepCopy();
    }

    /**
     * Checks a request.
     *
     * @throws RegistryException naming the first field that is not as the contract says
     */
    public void checkRequest(Action action, ObjectNode request) throws RegistryException {
        String schema = action.name() + "Request";
        List<Error> errors = errors(schema, request);
        if (!errors.isEmpty()) {
            Error first = first(errors);
            Optional<String> ofField = described(schema, first.getInstanceLocation());
            Optional<String> ofRule = description(path(first));
            String expected = (isRule(first) ? ofRule.or(() -> ofField) : ofField.or(() -> ofRule))
                    .orElseGet(() -> Optional.ofNullable(first.getMessage()).orElse("what the contract says"));
            throw refusal(first, expected);
        }
    }

    /** The outermost; where all are inside alternatives, the innermost: of the alternative that was meant. */
    private static Error first(List<Error> errors) {
        Comparator<Error> byDepth =
                Comparator.comparingInt(e -> e.getInstanceLocation().getNameCount());
        return errors.stream()
                .filter(e -> !insideAlternatives(e))
                .min(Comparator.comparing(Contract::isRule).thenComparing(byDepth))
                .orElseGet(() -> errors.stream().max(byDepth).orElseThrow());
    }

    /** What is wrong with a value of a schema, for tests of answers. */
    List<Error> errors(String schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile).validate(value);
    }

    private Schema compile(String name) {
        ObjectNode root = Json.object().put("$ref", "#" + SCHEMAS + name);
        root.set("components", document.get("components"));
        return registry.getSchema(root);
    }

    private static boolean insideAlternatives(Error error) {
        return error.getEvaluationPath().toString().contains("/anyOf/");
    }

    /** Whether it is about how fields fit together, rather than about one field's own form. */
    private static boolean isRule(Error error) {
        String path = path(error);
        return path.contains("/then/") || path.contains("/else/") || path.contains("/allOf/");
    }

    private static String path(Error error) {
        return error.getSchemaLocation().getFragment().toString();
    }

    private RegistryException refusal(Error error, String expected) {
        String field = dotted(error.getInstanceLocation().toString());
        String property = Optional.ofNullable(error.getProperty()).orElse("");
        boolean chosen =
                !insideAlternatives(error) || error.getInstanceLocation().getNameCount() > 1;
        if (chosen && error.getKeyword().equals("required")) {
            String missing = joined(field, property);
            Optional<String> what = meaning(path(error), property);
            return RegistryException.invalid(
                    missing, missing + ": missing" + what.map(m -> ": " + m).orElse(""));
        }
        if (chosen && error.getKeyword().equals("additionalProperties")) {
            String unknown = joined(field, property);
            return RegistryException.invalid(unknown, unknown + ": unknown field" + known(path(error)));
        }
        return RegistryException.invalid(
                field,
                (field.isEmpty() ? "the request" : field) + ": not valid; expected: " + choices(error) + expected);
    }

    private static String choices(Error error) {
        return error.getKeyword().equals("enum") ? "one of " + error.getSchemaNode() + ": " : "";
    }

    /** What the contract says of a field of a request; empty for one that only an alternative has. */
    private Optional<String> described(String schema, NodePath field) {
        JsonNode node = document.at(SCHEMAS + schema);
        for (int i = 0; i < field.getNameCount(); i++) {
            node = resolved(node).path("properties").path(String.valueOf(field.getElement(i)));
        }
        JsonNode described = node.has("description") ? node : resolved(node);
        return described.optional("description").map(JsonNode::asString);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asString().substring(1)) : node;
    }

    /** What the nearest schema around a keyword says of itself. */
    private Optional<String> description(String keywordPath) {
        for (String path = keywordPath; path.length() > SCHEMAS.length(); ) {
            JsonNode here = document.at(path);
            if (here.has("description")) {
                return Optional.of(here.get("description").asString());
            }
            path = path.substring(0, Math.max(0, path.lastIndexOf('/')));
        }
        return Optional.empty();
    }

    private Optional<String> meaning(String requiredPath, String property) {
        JsonNode schema = document.at(requiredPath.substring(0, requiredPath.lastIndexOf('/')));
        JsonNode of = schema.path("properties").path(property);
        return (of.has("description") ? of : resolved(of))
                .optional("description")
                .map(JsonNode::asString);
    }

    private String known(String path) {
        JsonNode properties =
                document.at(path.substring(0, path.lastIndexOf('/'))).path("properties");
        return properties.isEmpty()
                ? ""
                : "; there are "
                        + String.join(", ", properties.propertyNames().stream().toList());
    }

    private static String joined(String field, String property) {
        return field.isEmpty() ? property : field + "." + property;
    }

    /** {@code /transform/batchTimeUnit} as {@code transform.batchTimeUnit}. */
    private static String dotted(String pointer) {
        return pointer.startsWith("/") ? pointer.substring(1).replace('/', '.') : pointer;
    }
}
