package dev.stet.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * A kind of event: its name, and which of the routing fields its producer fills.
 *
 * @param tenantField index into {@link CorpusOptions#TENANT_FIELDS}
 * @param timeField index into {@link CorpusOptions#TIME_FIELDS}
 */
record EventType(String name, int tenantField, int timeField) {
    private static final List<EventType> KNOWN = List.of(
            new EventType("door.opened", 0, 0),
            new EventType("truck.location", 3, 1),
            new EventType("order-created", 1, 0),
            new EventType("meter_reading", 4, 2),
            new EventType("login", 2, 0),
            new EventType("invoice.paid", 0, 2),
            new EventType("heartbeat", 4, 0),
            new EventType("valve closed", 1, 1));

    /** Names that make awkward folders; seldom used, and only where the options allow oddities. */
    static final List<String> ODD_NAMES = List.of(
            "_audit", ".hidden", "..", "a/b c", "Gr\u00f6\u00dfe \ud83d\ude80", "50%", "q\"uote\\d", "Door.Opened");

    static List<EventType> first(int count) {
        List<EventType> types = new ArrayList<>(KNOWN.subList(0, Math.min(count, KNOWN.size())));
        for (int i = types.size(); i < count; i++) {
            types.add(new EventType("custom.type-%03d".formatted(i), i % 5, i % 3));
        }
        return types;
    }
}
