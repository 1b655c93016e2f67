package dev.stet.asl;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** What a rule of a Choice asks. */
sealed interface Condition {
    boolean holds(JsonNode input, JsonNode context) throws Failure;

    record And(List<Condition> all) implements Condition {
        @Override
        public boolean holds(JsonNode input, JsonNode context) throws Failure {
            for (Condition c : all) {
                if (!c.holds(input, context)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Or(List<Condition> all) implements Condition {
        @Override
        public boolean holds(JsonNode input, JsonNode context) throws Failure {
            for (Condition c : all) {
                if (c.holds(input, context)) {
                    return true;
                }
            }
            return false;
        }
    }

    record Not(Condition other) implements Condition {
        @Override
        public boolean holds(JsonNode input, JsonNode context) throws Failure {
            return !other.holds(input, context);
        }
    }

    record Present(Path variable, boolean expected) implements Condition {
        @Override
        public boolean holds(JsonNode input, JsonNode context) {
            return variable.find(input, context).isPresent() == expected;
        }
    }

    /** A comparison of a value that must be there; one of another type is not equal. */
    record Comparison(Path variable, String operator, JsonNode operand) implements Condition {
        @Override
        public boolean holds(JsonNode input, JsonNode context) throws Failure {
            JsonNode value = variable.find(input, context)
                    .orElseThrow(() ->
                            new Failure(Failure.RUNTIME, "Invalid path '" + variable + "': no such value in " + input));
            return switch (operator) {
                case "StringEquals" -> value.isString() && value.stringValue().equals(operand.stringValue());
                case "BooleanEquals" -> value.isBoolean() && value.booleanValue() == operand.booleanValue();
                case "NumericEquals" -> value.isNumber() && value.doubleValue() == operand.doubleValue();
                case "NumericGreaterThan" -> value.isNumber() && value.doubleValue() > operand.doubleValue();
                case "NumericGreaterThanEquals" -> value.isNumber() && value.doubleValue() >= operand.doubleValue();
                case "NumericLessThan" -> value.isNumber() && value.doubleValue() < operand.doubleValue();
                default -> throw new IllegalStateException(operator);
            };
        }
    }

    Set<String> NUMERIC = Set.of("NumericEquals", "NumericGreaterThan", "NumericGreaterThanEquals", "NumericLessThan");

    /** Reads the condition of {@code fields} and leaves other fields alone. */
    static Condition parse(Fields fields) {
        for (String operator : List.of("And", "Or")) {
            if (fields.has(operator)) {
                List<Condition> all = fields.list(operator, Condition::parseWhole);
                return operator.equals("And") ? new And(all) : new Or(all);
            }
        }
        if (fields.has("Not")) {
            return new Not(parseWhole(fields.object("Not").orElseThrow()));
        }
        Path variable = Path.parse(fields.where(), fields.text("Variable"));
        List<String> operators = new ArrayList<>(fields.left());
        operators.removeAll(List.of("Next", "Comment"));
        if (operators.size() != 1) {
            throw fields.refused("compares in another way than one: " + operators);
        }
        String operator = operators.getFirst();
        JsonNode operand = fields.required(operator);
        boolean fits = switch (operator) {
            case "IsPresent", "BooleanEquals" -> operand.isBoolean();
            case "StringEquals" -> operand.isString();
            default -> NUMERIC.contains(operator) && operand.isNumber();
        };
        if (!fits) {
            throw fields.refused("has a comparison that is not known: " + operator + " " + operand);
        }
        return operator.equals("IsPresent")
                ? new Present(variable, operand.booleanValue())
                : new Comparison(variable, operator, operand);
    }

    private static Condition parseWhole(Fields fields) {
        Condition condition = parse(fields);
        fields.end();
        return condition;
    }
}
