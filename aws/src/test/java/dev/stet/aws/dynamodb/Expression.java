package dev.stet.aws.dynamodb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** DynamoDB's condition and update expressions, as far as the fake's callers use them. What is not known here is refused. */
final class Expression {
    private static final Pattern TOKEN = Pattern.compile("\\s*(<>|<=|>=|[=<>(),]|:?[A-Za-z_][A-Za-z_0-9]*)");

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, AttributeValue> values;
    private final Set<String> used = new HashSet<>();
    private int next;

    private Expression(String text, Map<String, AttributeValue> values) {
        this.values = values;
        Matcher m = TOKEN.matcher(text.strip());
        int at = 0;
        while (m.find() && m.start() == at) {
            tokens.add(m.group(1));
            at = m.end();
        }
        if (at != text.strip().length()) {
            throw new IllegalArgumentException("not understood: " + text.substring(at));
        }
    }

    /** A condition on an item, and the values that it names. */
    record Condition(Predicate<Map<String, AttributeValue>> holds, Set<String> used) {}

    /** Assignments to attributes, and the values that they name. */
    record Assignments(Map<String, AttributeValue> attributes, Set<String> used) {}

    static Condition condition(String text, Map<String, AttributeValue> values) {
        Expression e = new Expression(text, values);
        Predicate<Map<String, AttributeValue>> condition = e.or();
        e.end();
        return new Condition(condition, e.used);
    }

    /** {@code SET a = :x, b = :y}. */
    static Assignments assignments(String text, Map<String, AttributeValue> values) {
        Expression e = new Expression(text, values);
        e.expect("SET");
        Map<String, AttributeValue> set = new java.util.HashMap<>();
        do {
            String name = e.name();
            e.expect("=");
            set.put(name, e.value());
        } while (e.skip(","));
        e.end();
        return new Assignments(set, e.used);
    }

    /** {@code ADD a :x, b :y}: numbers, every value used. */
    static Map<String, Long> additions(String text, Map<String, AttributeValue> values) {
        Expression e = new Expression(text, values);
        e.expect("ADD");
        Map<String, Long> added = new java.util.HashMap<>();
        do {
            String name = e.name();
            added.put(name, Long.valueOf(e.value().n()));
        } while (e.skip(","));
        e.end();
        if (!e.used.equals(values.keySet())) {
            throw new IllegalArgumentException("values that no expression names");
        }
        return added;
    }

    private Predicate<Map<String, AttributeValue>> or() {
        Predicate<Map<String, AttributeValue>> p = and();
        while (skip("OR")) {
            p = p.or(and());
        }
        return p;
    }

    private Predicate<Map<String, AttributeValue>> and() {
        Predicate<Map<String, AttributeValue>> p = not();
        while (skip("AND")) {
            p = p.and(not());
        }
        return p;
    }

    private Predicate<Map<String, AttributeValue>> not() {
        return skip("NOT") ? not().negate() : term();
    }

    private Predicate<Map<String, AttributeValue>> term() {
        if (skip("(")) {
            Predicate<Map<String, AttributeValue>> p = or();
            expect(")");
            return p;
        }
        String name = name();
        if (name.equals("attribute_exists") || name.equals("attribute_not_exists")) {
            expect("(");
            String of = name();
            expect(")");
            boolean wanted = name.equals("attribute_exists");
            return item -> item.containsKey(of) == wanted;
        }
        if (skip("IN")) {
            expect("(");
            List<AttributeValue> any = new ArrayList<>();
            do {
                any.add(value());
            } while (skip(","));
            expect(")");
            return item -> any.stream().anyMatch(v -> compares(item.get(name), v, (a, b) -> a.compareTo(b) == 0));
        }
        String operator = take();
        AttributeValue value = value();
        BiFunction<Scalar, Scalar, Boolean> compare = switch (operator) {
            case "=" -> (a, b) -> a.compareTo(b) == 0;
            case "<" -> (a, b) -> a.compareTo(b) < 0;
            case "<=" -> (a, b) -> a.compareTo(b) <= 0;
            case ">" -> (a, b) -> a.compareTo(b) > 0;
            case ">=" -> (a, b) -> a.compareTo(b) >= 0;
            default -> throw new IllegalArgumentException("not understood: " + operator);
        };
        return item -> compares(item.get(name), value, compare);
    }

    private static boolean compares(AttributeValue a, AttributeValue b, BiFunction<Scalar, Scalar, Boolean> compare) {
        return a != null && a.type() == b.type() && compare.apply(new Scalar(a), new Scalar(b));
    }

    /** A value that has an order among those of its type. */
    record Scalar(AttributeValue value) implements Comparable<Scalar> {
        @Override
        public int compareTo(Scalar other) {
            return switch (value.type()) {
                case S -> Arrays.compareUnsigned(Row.utf8(value.s()), Row.utf8(other.value.s()));
                case N -> new BigDecimal(value.n()).compareTo(new BigDecimal(other.value.n()));
                case B ->
                    Arrays.compareUnsigned(
                            value.b().asByteArray(), other.value.b().asByteArray());
                case BOOL -> Boolean.compare(value.bool(), other.value.bool());
                default -> throw new IllegalArgumentException("no order among " + value.type());
            };
        }
    }

    private AttributeValue value() {
        String name = take();
        AttributeValue value = values.get(name);
        if (!name.startsWith(":") || value == null) {
            throw new IllegalArgumentException("no value " + name);
        }
        used.add(name);
        return value;
    }

    private String name() {
        String name = take();
        if (!Character.isLetter(name.charAt(0))) {
            throw new IllegalArgumentException("no name: " + name);
        }
        return name;
    }

    private String take() {
        if (next == tokens.size()) {
            throw new IllegalArgumentException("ends too early");
        }
        return tokens.get(next++);
    }

    private boolean skip(String token) {
        boolean there = next < tokens.size() && tokens.get(next).equals(token);
        next += there ? 1 : 0;
        return there;
    }

    private void expect(String token) {
        if (!skip(token)) {
            throw new IllegalArgumentException(token + " expected, before " + tokens.subList(next, tokens.size()));
        }
    }

    private void end() {
        if (next < tokens.size()) {
            throw new IllegalArgumentException("not understood: " + tokens.subList(next, tokens.size()));
        }
    }
}
