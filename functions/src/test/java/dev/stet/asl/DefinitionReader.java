package dev.stet.asl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a definition (JSONPath). Every field must be known, where it stands. */
final class DefinitionReader {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Za-z0-9]+)}");
    private static final int MAX_DEFINITION = 1 << 20;
    private static final int MAX_STATE_NAME = 80;
    private static final int MAX_WAIT = 99_999_999;
    private static final int MAX_MAP_CONCURRENCY = 10_000;

    private DefinitionReader() {}

    /**
     * Reads a definition as it is deployed.
     *
     * @param substitutions what CloudFormation puts for {@code ${Name}} in the text; all are used and none is missing
     */
    static Flow read(String where, String text, Map<String, String> substitutions) {
        if (text.length() > MAX_DEFINITION) {
            throw new RefusedException(where + " is longer than 1 MiB");
        }
        String filled = PLACEHOLDER.matcher(text).replaceAll(m -> {
            String value = substitutions.get(m.group(1));
            if (value == null) {
                throw new RefusedException(where + " has " + m.group() + ", for which nothing is given");
            }
            return java.util.regex.Matcher.quoteReplacement(value);
        });
        JsonNode node;
        try {
            node = JSON.readTree(filled);
        } catch (JacksonException e) {
            throw new RefusedException(where + " is no JSON: " + e.getOriginalMessage());
        }
        Fields fields = new Fields(where, node);
        fields.optionalText("Comment");
        fields.exactly("QueryLanguage", "JSONPath");
        Flow flow = flow(fields, true);
        fields.end();
        return flow;
    }

    private static Flow flow(Fields fields, boolean top) {
        String startAt = fields.text("StartAt");
        Map<String, State> states = new LinkedHashMap<>();
        JsonNode all = fields.required("States");
        for (Map.Entry<String, JsonNode> e : all.properties()) {
            if (e.getKey().length() > MAX_STATE_NAME) {
                throw fields.refused("has a state whose name is longer than 80: " + e.getKey());
            }
            states.put(
                    e.getKey(),
                    state(e.getKey(), new Fields(fields.where() + ": state '" + e.getKey() + "'", e.getValue()), top));
        }
        Flow flow = new Flow(startAt, states);
        flow.check(fields.where());
        return flow;
    }

    private static State state(String name, Fields f, boolean top) {
        f.optionalText("Comment");
        String type = f.text("Type");
        State state = switch (type) {
            case "Task" -> task(name, f);
            case "Pass" -> pass(name, f);
            case "Wait" ->
                new State.Wait(
                        name, f.count("Seconds", 0, MAX_WAIT).orElseThrow(() -> f.refused("lacks 'Seconds'")), next(f));
            case "Choice" -> choice(name, f);
            case "Succeed" ->
                new State.Succeed(
                        name,
                        f.optionalText("OutputPath")
                                .map(p -> Path.parse(f.where(), p))
                                .orElse(Path.ROOT));
            case "Fail" -> fail(name, f);
            case "Map" -> map(name, f, top);
            default -> throw f.refused("has a Type that is not known: " + type);
        };
        f.end();
        return state;
    }

    private static State task(String name, Fields f) {
        String arn = f.text("Resource");
        State.Resource resource = java.util.Arrays.stream(State.Resource.values())
                .filter(r -> r.arn().equals(arn))
                .findFirst()
                .orElseThrow(() -> f.refused("has a Resource that is not known: " + arn));
        Template parameters = template(f, "Parameters");
        switch (resource) {
            case LAMBDA_INVOKE -> requireNames(parameters, List.of("FunctionName", "Payload"));
            case START_EXECUTION_SYNC -> requireNames(parameters, List.of("StateMachineArn", "Input"));
        }
        return new State.Task(
                name,
                resource,
                parameters,
                output(f),
                f.count("TimeoutSeconds", 1, MAX_WAIT),
                f.list("Retry", DefinitionReader::retrier),
                catchers(f),
                next(f));
    }

    private static void requireNames(Template template, List<String> names) {
        List<String> there = template.node().propertyNames().stream()
                .map(Template::plain)
                .sorted()
                .toList();
        if (!there.equals(names.stream().sorted().toList())) {
            throw new RefusedException(template.where() + " has " + there + ", not " + names);
        }
    }

    private static State pass(String name, Fields f) {
        Optional<Template> parameters = f.has("Parameters") ? Optional.of(template(f, "Parameters")) : Optional.empty();
        State.Output output = output(f);
        if (output.resultSelector().isPresent()) {
            throw f.refused("has what a Pass does not have: ResultSelector");
        }
        return new State.Pass(name, parameters, f.any("Result"), output, next(f));
    }

    private static State choice(String name, Fields f) {
        List<State.Rule> rules = f.list("Choices", r -> {
            r.optionalText("Comment");
            Condition condition = Condition.parse(r);
            State.Rule rule = new State.Rule(condition, r.text("Next"));
            r.end();
            return rule;
        });
        if (rules.isEmpty()) {
            throw f.refused("lacks 'Choices'");
        }
        return new State.Choice(name, rules, f.optionalText("Default"));
    }

    private static State fail(String name, Fields f) {
        tools.jackson.databind.node.ObjectNode texts = JSON.createObjectNode();
        for (String field : List.of("Error", "Cause")) {
            if (f.has(field) == f.has(field + "Path")) {
                throw f.refused("needs either '" + field + "' or '" + field + "Path'");
            }
            f.optionalText(field).ifPresent(t -> texts.put(field, t));
            f.optionalText(field + "Path").ifPresent(p -> texts.put(field + ".$", p));
        }
        return new State.Fail(name, Template.parse(f.where(), texts));
    }

    private static State map(String name, Fields f, boolean top) {
        if (!top) {
            throw f.refused("is a Map inside a Map, which is not known");
        }
        Fields reader = f.object("ItemReader").orElseThrow(() -> f.refused("lacks 'ItemReader'"));
        reader.exactly("Resource", "arn:aws:states:::s3:getObject");
        Fields config = reader.object("ReaderConfig").orElseThrow(() -> reader.refused("lacks 'ReaderConfig'"));
        config.exactly("InputType", "JSONL");
        config.end();
        Template from = template(reader, "Parameters");
        requireNames(from, List.of("Bucket", "Key"));
        reader.end();
        Fields writer = f.object("ResultWriter").orElseThrow(() -> f.refused("lacks 'ResultWriter'"));
        writer.exactly("Resource", "arn:aws:states:::s3:putObject");
        Template to = template(writer, "Parameters");
        requireNames(to, List.of("Bucket", "Prefix"));
        writer.end();
        return new State.DistributedMap(
                name,
                from,
                template(f, "ItemSelector"),
                to,
                f.count("MaxConcurrency", 1, MAX_MAP_CONCURRENCY)
                        .orElseThrow(() -> f.refused("lacks 'MaxConcurrency'")),
                f.number("ToleratedFailurePercentage", 0, 100),
                f.count("ToleratedFailureCount", 0, Integer.MAX_VALUE),
                processor(f),
                output(f),
                catchers(f),
                next(f));
    }

    private static Flow processor(Fields f) {
        Fields processor = f.object("ItemProcessor").orElseThrow(() -> f.refused("lacks 'ItemProcessor'"));
        Fields config =
                processor.object("ProcessorConfig").orElseThrow(() -> processor.refused("lacks 'ProcessorConfig'"));
        config.exactly("Mode", "DISTRIBUTED");
        config.exactly("ExecutionType", "STANDARD");
        config.end();
        Flow flow = flow(processor, false);
        processor.end();
        return flow;
    }

    private static Template template(Fields f, String field) {
        return Template.parse(f.where() + ": " + field, f.required(field));
    }

    private static State.Output output(Fields f) {
        Optional<Template> selector =
                f.has("ResultSelector") ? Optional.of(template(f, "ResultSelector")) : Optional.empty();
        return new State.Output(
                selector,
                resultPath(f),
                f.optionalText("OutputPath").map(p -> Path.parse(f.where(), p)).orElse(Path.ROOT));
    }

    private static Optional<Path> resultPath(Fields f) {
        Optional<JsonNode> there = f.any("ResultPath");
        if (there.isEmpty()) {
            return Optional.of(Path.ROOT);
        }
        if (there.get().isNull()) {
            return Optional.empty();
        }
        return Optional.of(Path.parseReference(f.where(), f.text("ResultPath")));
    }

    private static Optional<String> next(Fields f) {
        Optional<String> next = f.optionalText("Next");
        boolean end = f.any("End").map(JsonNode::booleanValue).orElse(false);
        if (next.isPresent() == end) {
            throw f.refused("needs either 'Next' or 'End': true");
        }
        return next;
    }

    private static State.Retrier retrier(Fields f) {
        f.optionalText("Comment");
        String jitter = f.optionalText("JitterStrategy").orElse("NONE");
        if (!List.of("NONE", "FULL").contains(jitter)) {
            throw f.refused("has a JitterStrategy that is not known: " + jitter);
        }
        State.Retrier retrier = new State.Retrier(
                errors(f),
                f.count("IntervalSeconds", 1, MAX_WAIT).orElse(1),
                f.count("MaxAttempts", 0, MAX_WAIT).orElse(3),
                f.number("BackoffRate", 1, 1_000).orElse(2.0),
                f.count("MaxDelaySeconds", 1, 31_622_400)
                        .map(Integer::doubleValue)
                        .orElse(Double.MAX_VALUE),
                jitter.equals("FULL"));
        f.end();
        return retrier;
    }

    private static List<State.Catcher> catchers(Fields f) {
        return f.list("Catch", c -> {
            c.optionalText("Comment");
            State.Catcher catcher = new State.Catcher(errors(c), resultPath(c), c.text("Next"));
            c.end();
            return catcher;
        });
    }

    private static List<String> errors(Fields f) {
        List<String> errors = f.texts("ErrorEquals");
        if (errors.contains("States.ALL") && errors.size() > 1) {
            throw f.refused("names States.ALL beside others");
        }
        return errors;
    }
}
