package dev.stet.aws.dynamodb;

import dev.stet.store.KeyOrder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item's attributes, and the forms of their values. Names have an underscore, so that none is a reserved word of the expressions. */
record Row(Map<String, AttributeValue> attributes) {
    static final String PARTITION = "pk";
    static final String SORT = "sk";

    private static final String COUNTER = "counter_";

    /** A sort key may be this long; the keys of S3 are no longer. */
    static final int MAX_SORT_BYTES = 1_024;

    /** A sort key may not be empty: one byte 0x00 stands for "", which is before every key. */
    private static final String FIRST = "\0";

    long number(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? 0 : Long.parseLong(value.n());
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(attributes.get(name)).map(AttributeValue::s);
    }

    String requiredText(String name) {
        return text(name).orElse("");
    }

    boolean flag(String name) {
        AttributeValue value = attributes.get(name);
        return value != null && Boolean.TRUE.equals(value.bool());
    }

    /** Empty bytes where there is no such attribute. */
    byte[] bytes(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? new byte[0] : value.b().asByteArray();
    }

    List<AttributeValue> list(String name) {
        AttributeValue value = attributes.get(name);
        return value == null ? List.of() : value.l();
    }

    /** A map's entries, as a row. */
    Optional<Row> map(String name) {
        return Optional.ofNullable(attributes.get(name)).map(AttributeValue::m).map(Row::new);
    }

    /** The attributes that are counters, by the names they were added under. */
    Map<String, Long> counters() {
        Map<String, Long> counters = new HashMap<>();
        attributes.forEach((name, value) -> {
            if (name.startsWith(COUNTER)) {
                counters.put(name.substring(COUNTER.length()), Long.parseLong(value.n()));
            }
        });
        return counters;
    }

    /** The attribute of a counter. @param name of letters, digits and underscores */
    static String counter(String name) {
        if (!name.chars().allMatch(c -> c == '_' || Character.isLetterOrDigit(c))) {
            throw new IllegalArgumentException("not the name of a counter: " + name);
        }
        return COUNTER + name;
    }

    /** A key of the source, from binary. */
    Optional<String> key(String name) {
        return Optional.ofNullable(attributes.get(name)).map(Row::key);
    }

    static String key(AttributeValue value) {
        String key = value.b().asUtf8String();
        return key.equals(FIRST) ? "" : key;
    }

    /** Whether a page or an extent can begin after that key. */
    static boolean canBeSortKey(String key) {
        return !key.equals(FIRST) && utf8(key).length <= MAX_SORT_BYTES;
    }

    /** The key as a sort key: DynamoDB compares binary ones by unsigned bytes, which is {@link KeyOrder}. */
    static AttributeValue sortKey(String key) {
        return binary(utf8(key.isEmpty() ? FIRST : key));
    }

    static Map<String, AttributeValue> primaryKey(String partition, AttributeValue sort) {
        return Map.of(PARTITION, string(partition), SORT, sort);
    }

    static AttributeValue generation(long generation) {
        return binary(ByteBuffer.allocate(Long.BYTES).putLong(generation).array());
    }

    static AttributeValue string(String s) {
        return AttributeValue.fromS(s);
    }

    static AttributeValue number(long n) {
        return AttributeValue.fromN(Long.toString(n));
    }

    static AttributeValue flag(boolean b) {
        return AttributeValue.fromBool(b);
    }

    static AttributeValue binary(byte[] bytes) {
        return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
    }

    static byte[] utf8(String s) {
        return s.getBytes(StandardCharsets.UTF_8);
    }

    /** Mutable, for attributes of which some may be absent. */
    static Map<String, AttributeValue> values() {
        return new HashMap<>();
    }
}
