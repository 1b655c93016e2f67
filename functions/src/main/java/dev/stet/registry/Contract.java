package dev.stet.registry;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
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

    /** @throws RegistryException naming the first field that is not as the contract says */
    public void checkRequest(Action action, ObjectNode request) throws RegistryException {
        List<Error> errors = errors(action.name() + "Request", request);
        if (!errors.isEmpty()) {
            // The outermost first, and of those inside alternatives only what the alternatives are for.
            throw refusal(errors.stream()
                    .min(Comparator.comparing(Contract::insideAlternatives)
                            .thenComparing(e -> e.getInstanceLocation().getNameCount()))
                    .orElseThrow());
        }
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
        return path(error).contains("/anyOf/");
    }

    private static String path(Error error) {
        return error.getSchemaLocation().getFragment().toString();
    }

    private RegistryException refusal(Error error) {
        String schemaPath = path(error);
        String field = dotted(error.getInstanceLocation().toString());
        String property = Optional.ofNullable(error.getProperty()).orElse("");
        boolean chosen = !insideAlternatives(error);
        if (chosen && error.getKeyword().equals("required")) {
            String missing = joined(field, property);
            return RegistryException.invalid(
                    missing,
                    missing + ": missing"
                            + meaning(schemaPath, property).map(m -> ": " + m).orElse(""));
        }
        if (chosen && error.getKeyword().equals("additionalProperties")) {
            String unknown = joined(field, property);
            return RegistryException.invalid(unknown, unknown + ": unknown field" + known(schemaPath));
        }
        String expected = description(schemaPath)
                .orElseGet(() -> Optional.ofNullable(error.getMessage()).orElse("what the contract says"));
        return RegistryException.invalid(
                field, (field.isEmpty() ? "the request" : field) + ": not valid; expected: " + choices(error) + expected);
    }

    private static String choices(Error error) {
        return error.getKeyword().equals("enum") ? "one of " + error.getSchemaNode() + ": " : "";
    }

    /** What the nearest schema around a keyword says of itself. */
    private Optional<String> description(String keywordPath) {
        String path = keywordPath;
        Optional<String> found = Optional.empty();
        while (path.startsWith(SCHEMAS) && path.length() > SCHEMAS.length()) {
            JsonNode here = document.at(path);
            if (here.has("description")) {
                found = Optional.of(here.get("description").asString());
                if (!path.contains("/anyOf/")) {
                    return found;
                }
            }
            int slash = path.lastIndexOf('/');
            path = slash < 0 ? "" : path.substring(0, slash);
        }
        return found;
    }

    private Optional<String> meaning(String requiredPath, String property) {
        JsonNode schema = document.at(requiredPath.substring(0, requiredPath.lastIndexOf('/')));
        JsonNode of = schema.path("properties").path(property);
        JsonNode described = of.has("description") ? of : document.at(of.path("$ref").asString("#").substring(1));
        return described.optional("description").map(JsonNode::asString);
    }

    private String known(String path) {
        JsonNode properties = document.at(path.substring(0, path.lastIndexOf('/'))).path("properties");
        return properties.isEmpty()
                ? ""
                : "; there are " + String.join(", ", properties.propertyNames().stream().toList());
    }

    private static String joined(String field, String property) {
        return field.isEmpty() ? property : field + "." + property;
    }

    /** {@code /transform/batchTimeUnit} as {@code transform.batchTimeUnit}. */
    private static String dotted(String pointer) {
        return pointer.startsWith("/") ? pointer.substring(1).replace('/', '.') : pointer;
    }
}
