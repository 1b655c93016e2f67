package dev.stet.corpus;

import dev.stet.corpus.Json.Arr;
import dev.stet.corpus.Json.Member;
import dev.stet.corpus.Json.Obj;
import dev.stet.corpus.Json.Raw;
import dev.stet.corpus.Json.Style;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes single records whose fate it knows, because it decides on the fate first and then writes a record that has it. */
final class RecordMaker {
    /**
     * One record.
     *
     * @param octets see {@link Octets}
     */
    record Made(String octets, Fate fate) {}

    private record Place(String namespace, String field, String tenant, long day) {}

    /** What is wrong with a record, if anything. The names are the reasons of the quarantine. */
    private enum Fault {
        NONE,
        MISSING_NAMESPACE,
        BAD_NAMESPACE,
        MISSING_PARTITION,
        BAD_PARTITION,
        MISSING_TIME,
        BAD_TIME,
        AMBIGUOUS_TIME,
        DUPLICATE_KEY,
        INVALID_UTF8,
        KEY_TOO_LONG;

        String reason() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final List<Fault> FAULTS = List.of(Fault.values()).subList(1, Fault.values().length);
    private static final long[] FAR_DAYS = {
        LocalDate.of(1, 1, 1).toEpochDay(),
        LocalDate.of(1969, 12, 31).toEpochDay(),
        LocalDate.of(1970, 1, 1).toEpochDay(),
        LocalDate.of(2000, 2, 29).toEpochDay(),
        LocalDate.of(9999, 12, 31).toEpochDay()
    };
    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "-0.0",
            "1",
            "42",
            "3.14",
            "1E400",
            "-1e-400",
            "0.1e-7",
            "9007199254740993",
            "1e+2",
            "123456789012345678901234567890",
            "1633392000",
            "20211005",
            "2.50");

    private final CorpusOptions options;
    private final List<EventType> types;
    private final Tenants tenants;
    /** Fates made before: spelling a path takes longer than the rest of a record. */
    private final Map<Place, Fate> fates = new HashMap<>();

    private long coverIndex;

    RecordMaker(CorpusOptions options) {
        this.options = options;
        types = EventType.first(options.types());
        tenants = new Tenants(options.tenants(), options.odd());
    }

    /** A record of an object written on day number {@code objectDay} of the archive. */
    Made make(Dice dice, int objectDay, boolean pretty) {
        Fault fault = dice.chance(options.badRecords()) ? dice.pick(FAULTS) : Fault.NONE;
        if (fault == Fault.MISSING_NAMESPACE && dice.chance(0.1)) {
            return new Made("{}", new Fate.SetAside(fault.reason()));
        }
        return new Draft(dice, fault, objectDay).finish(pretty);
    }

    /** One record while it is made. */
    private final class Draft {
        private final Dice dice;
        private final Fault fault;
        private final EventType type;
        private final String tenant;
        private final long day;
        private final boolean brokenNamespace;
        private final List<Member> top = new ArrayList<>();
        /** Members of the objects {@code detail}, {@code truck} and {@code device}, as far as the record has them. */
        private final Map<String, List<Member>> groups = new TreeMap<>();
        /** Names of members before they were escaped. */
        private final IdentityHashMap<Member, String> names = new IdentityHashMap<>();
        /** Parents written as something else than an object. */
        private final Set<String> taken = new HashSet<>();

        Draft(Dice dice, Fault fault, int objectDay) {
            this.dice = dice;
            this.fault = fault;
            brokenNamespace = fault == Fault.INVALID_UTF8 && dice.chance(0.3);
            int typeIndex;
            int tenantIndex;
            int dayIndex;
            if (options.cover() && fault == Fault.NONE) {
                // Neighbours in the archive are far apart in the layout: the worst case for whoever groups by
                // partition.
                long all = (long) options.types() * options.tenants() * options.days();
                long slot = Math.floorMod(coverIndex++ * 7_368_787L, all);
                typeIndex = (int) (slot % options.types());
                tenantIndex = (int) (slot / options.types() % options.tenants());
                dayIndex = (int) (slot / options.types() / options.tenants());
            } else {
                typeIndex = dice.below(options.types());
                tenantIndex = tenants.draw(dice);
                // Most events are written on their day, some are late.
                double late = dice.fraction();
                dayIndex = late < 0.93 ? objectDay : late < 0.99 ? Math.max(0, objectDay - dice.between(1, 3)) : 0;
            }
            EventType drawn = types.get(typeIndex);
            boolean oddName = options.odd() && !options.cover() && dice.chance(0.004);
            type = oddName
                    ? new EventType(dice.pick(EventType.ODD_NAMES), drawn.tenantField(), drawn.timeField())
                    : drawn;
            tenant = tenants.name(tenantIndex);
            day = options.odd() && !options.cover() && dice.chance(0.001)
                    ? FAR_DAYS[dice.below(FAR_DAYS.length)]
                    : options.firstDay().toEpochDay() + dayIndex;
        }

        Made finish(boolean pretty) {
            namespace();
            int tenantField = tenant();
            time();
            payload();
            groups.forEach((name, members) -> {
                dice.shuffle(members);
                top.add(new Member(Text.key(name, dice), new Obj(members)));
            });
            dice.shuffle(top);
            largePayload();
            if (fault == Fault.DUPLICATE_KEY) {
                duplicate();
                Collections.swap(top, top.size() - 1, dice.below(top.size()));
            } else if (options.odd() && dice.chance(0.005)) {
                repeatHarmlessly();
            }
            StringBuilder out = new StringBuilder(512);
            Json.write(out, new Obj(top), style(pretty), dice);
            return new Made(out.toString(), fate(tenantField));
        }

        private Fate fate(int tenantField) {
            if (fault != Fault.NONE) {
                return new Fate.SetAside(fault.reason());
            }
            String field = options.partitionName().orElse(CorpusOptions.TENANT_FIELDS.get(tenantField));
            return fates.computeIfAbsent(
                    new Place(type.name(), field, tenant, day),
                    place -> new Fate.Lands(
                            Folders.path(place.namespace(), place.field(), place.tenant(), place.day())));
        }

        private Style style(boolean pretty) {
            if (pretty) {
                return options.odd() && dice.chance(0.2) ? Style.PRETTY_CRLF : Style.PRETTY;
            }
            double chance = dice.fraction();
            return options.odd() && chance < 0.01 ? Style.ODD : chance < 0.25 ? Style.SPACED : Style.COMPACT;
        }

        private void namespace() {
            switch (fault) {
                case MISSING_NAMESPACE -> {
                    absent(top, CorpusOptions.NAMESPACE_FIELD);
                    if (dice.chance(0.5)) {
                        add(top, "Event_Type", Text.plain("decoy"));
                    }
                }
                case BAD_NAMESPACE -> add(top, CorpusOptions.NAMESPACE_FIELD, unusable());
                case INVALID_UTF8 ->
                    add(
                            top,
                            CorpusOptions.NAMESPACE_FIELD,
                            brokenNamespace ? new Raw("\"door\u00c3(\"") : Text.string(type.name(), dice));
                default -> add(top, CorpusOptions.NAMESPACE_FIELD, Text.string(type.name(), dice));
            }
        }

        /** Writes the tenant and decoys of it; returns the field that decides. */
        private int tenant() {
            List<String> fields = CorpusOptions.TENANT_FIELDS;
            if (fault == Fault.MISSING_PARTITION) {
                fields.forEach(this::noTenant);
                lookAlikes();
                return 0;
            }
            int field = dice.chance(0.97) ? type.tenantField() : dice.below(fields.size());
            for (int i = 0; i < field; i++) {
                noTenant(fields.get(i));
            }
            put(
                    fields.get(field),
                    switch (fault) {
                        case BAD_PARTITION -> unusable();
                        case INVALID_UTF8 ->
                            brokenNamespace
                                    ? Tenants.value(tenant, dice)
                                    : new Raw("\"ac\u00ff\u00fe"
                                            + Text.noise(4, dice).trim() + "\"");
                        case KEY_TOO_LONG ->
                            Text.string(
                                    dice.chance(0.5) ? "x".repeat(dice.between(300, 900)) : "\u00e9".repeat(120), dice);
                        default -> Tenants.value(tenant, dice);
                    });
            // Whatever later alternatives hold, the first usable one decides.
            for (int i = field + 1; i < fields.size(); i++) {
                if (dice.chance(0.08)) {
                    put(fields.get(i), dice.chance(0.8) ? Text.string("decoy-" + i, dice) : new Raw("[1,{}]"));
                }
            }
            if (dice.chance(0.15)) {
                lookAlikes();
            }
            return field;
        }

        /** Writes {@code path} so that it falls through to the next alternative. */
        private void noTenant(String path) {
            int dot = path.indexOf('.');
            if (dice.chance(0.85)) {
                return;
            }
            if (dot > 0 && dice.chance(0.3) && !groups.containsKey(path.substring(0, dot))) {
                // A parent that is no object: paths walk objects only. Kept apart from a group of the same name.
                String parent = path.substring(0, dot);
                Json value = new Raw(dice.pick(
                        "null",
                        "\"text\"",
                        "7",
                        "true",
                        "[]",
                        "[{\"tenant_id\":\"decoy\"}]",
                        "\"{\\\"tenant_id\\\":\\\"decoy\\\"}\""));
                if (taken.add(parent)) {
                    add(top, parent, value);
                }
                return;
            }
            put(path, new Raw(dice.pick("null", "\"\"")));
        }

        private void put(String path, Json value) {
            int dot = path.indexOf('.');
            if (dot < 0) {
                add(top, path, value);
            } else if (!taken.contains(path.substring(0, dot))) {
                add(
                        groups.computeIfAbsent(path.substring(0, dot), name -> new ArrayList<>()),
                        path.substring(dot + 1),
                        value);
            }
        }

        /** What a careless router would take for the tenant. */
        private void lookAlikes() {
            for (int i = dice.between(1, 3); i > 0; i--) {
                Json decoy = Text.plain("decoy");
                Json inner = new Obj(List.of(new Member("\"tenant_id\"", decoy), new Member("\"event_type\"", decoy)));
                switch (dice.below(7)) {
                    case 0 -> add(top, "detail.tenant_id", decoy);
                    case 1 -> add(top, dice.pick("Tenant_Id", "TENANT_ID", "tenant_id ", "tenant.id"), decoy);
                    case 2 -> add(top, "outer", new Obj(List.of(new Member("\"detail\"", inner))));
                    case 3 -> add(top, "items", new Arr(List.of(inner, inner)));
                    case 4 ->
                        add(top, "message", Text.plain("\"tenant_id\":\"decoy\",\"detail\":{\"tenant_id\":\"decoy\"}"));
                    case 5 -> add(top, "raw", Text.plain("}\n{\"event_type\":\"decoy\",\"tenant_id\":\"decoy\"}"));
                    default ->
                        add(top, "meta", new Obj(List.of(new Member("\"time\"", decoy), new Member("\"tid\"", decoy))));
                }
            }
        }

        private void time() {
            List<String> fields = CorpusOptions.TIME_FIELDS;
            if (fault == Fault.MISSING_TIME) {
                fields.forEach(field -> absent(top, field));
                add(top, dice.pick("Time", "timestamp", "datetime"), Times.good(day, dice));
                return;
            }
            int field = dice.chance(0.9) ? type.timeField() : dice.below(fields.size());
            for (int i = 0; i < field; i++) {
                absent(top, fields.get(i));
            }
            add(
                    top,
                    fields.get(field),
                    switch (fault) {
                        case BAD_TIME -> Times.bad(dice);
                        case AMBIGUOUS_TIME -> Times.ambiguous(dice);
                        default -> Times.good(day, dice);
                    });
            for (int i = field + 1; i < fields.size(); i++) {
                if (dice.chance(0.15)) {
                    add(top, fields.get(i), dice.chance(0.7) ? Times.good(day + 400, dice) : Times.bad(dice));
                }
            }
        }

        private void payload() {
            for (int i = dice.between(1, 6); i > 0; i--) {
                add(top, dice.pick("seq", "note", "value", "tags", "flags", "source", "region", "x") + i, scrap(2));
            }
            if (!taken.contains("detail") && dice.chance(0.4)) {
                groups.computeIfAbsent("detail", name -> new ArrayList<>());
            }
            groups.values().forEach(members -> add(members, dice.pick("note", "level", "a"), scrap(1)));
            if (options.odd() && dice.chance(0.005)) {
                add(top, "broken", new Raw("\"caf\u00e9 \u00c0\u00af\u0080 cut \u00e2\u0082\""));
            }
            if (options.odd() && dice.chance(0.005)) {
                add(top, "limits", new Arr(List.of(new Raw("NaN"), new Raw("Infinity"), new Raw("-Infinity"))));
            }
            if (options.odd() && dice.chance(0.001)) {
                int depth = dice.betweenMagnitudes(20, 3000);
                add(top, "deep", new Raw("[".repeat(depth) + "]".repeat(depth)));
            }
        }

        /** Any value of no importance. */
        private Json scrap(int depth) {
            return switch (dice.below(depth > 0 ? 9 : 6)) {
                case 0, 1 -> new Raw(options.odd() ? dice.pick(NUMBERS) : String.valueOf(dice.below(1_000_000)));
                case 2 -> new Raw(dice.pick("true", "false", "null"));
                case 3 ->
                    Text.string(
                            dice.pick(
                                    "\u00fcber \u2028 \ufeff", "tab\there", "{[,:]}", "C:\\dir\\", "\ud83d\ude80", ""),
                            dice);
                case 4, 5 -> new Raw('"' + Text.noise(dice.betweenMagnitudes(5, 200), dice) + '"');
                case 6 -> new Arr(List.of(scrap(depth - 1), scrap(depth - 1)));
                case 7 -> dice.chance(0.3) ? new Obj(List.of()) : new Arr(List.of());
                default ->
                    new Obj(List.of(new Member(Text.key("k", dice), scrap(depth - 1)), new Member("\"\"", scrap(0))));
            };
        }

        private void largePayload() {
            double chance = dice.fraction();
            if (chance < 0.005) {
                int most = chance < 0.0003 ? options.maxPayload() : Math.min(options.maxPayload(), 30_000);
                Json payload =
                        new Raw('"' + Text.noise(dice.betweenMagnitudes(Math.min(3_000, most), most), dice) + '"');
                // Mostly first: what decides comes after it.
                top.add(dice.chance(0.7) ? 0 : dice.below(top.size() + 1), new Member("\"payload\"", payload));
            }
        }

        private void duplicate() {
            switch (dice.below(4)) {
                case 0 -> add(top, CorpusOptions.NAMESPACE_FIELD, Text.string("decoy", dice));
                case 1 -> add(top, presentTime(), Times.good(day + 500, dice));
                default -> {
                    String path = presentTenant();
                    int dot = path.indexOf('.');
                    if (dot < 0) {
                        add(top, path, Text.string("decoy", dice));
                    } else {
                        Json other = new Obj(List.of(new Member("\"tenant_id\"", Text.plain("decoy"))));
                        add(top, path.substring(0, dot), other);
                    }
                }
            }
        }

        /** A key a second time with the same value, or with another where nothing depends on it. */
        private void repeatHarmlessly() {
            Member first = dice.pick(top);
            boolean routed = first.key().contains("\\")
                    || List.of("\"detail\"", "\"truck\"", "\"device\"").contains(first.key());
            if (!routed && !isRoutingKey(first.key())) {
                top.add(new Member(first.key(), scrap(1)));
            } else if (first.value() instanceof Raw) {
                top.add(first);
            }
        }

        private boolean isRoutingKey(String key) {
            String name = key.substring(1, key.length() - 1);
            return name.equals(CorpusOptions.NAMESPACE_FIELD)
                    || CorpusOptions.TIME_FIELDS.contains(name)
                    || CorpusOptions.TENANT_FIELDS.contains(name);
        }

        private String presentTime() {
            // The one that decides is never preceded by one with a value.
            for (String field : CorpusOptions.TIME_FIELDS) {
                if (holdsValue(top, field)) {
                    return field;
                }
            }
            throw new IllegalStateException("no time");
        }

        private String presentTenant() {
            for (String path : CorpusOptions.TENANT_FIELDS) {
                int dot = path.indexOf('.');
                List<Member> members = dot < 0 ? top : groups.getOrDefault(path.substring(0, dot), List.of());
                if (holdsValue(members, path.substring(dot + 1))) {
                    return path;
                }
            }
            throw new IllegalStateException("no tenant");
        }

        private boolean holdsValue(List<Member> members, String name) {
            return members.stream()
                    .anyMatch(member -> names.getOrDefault(member, "").equals(name)
                            && !(member.value() instanceof Raw raw
                                    && (raw.octets().equals("null")
                                            || raw.octets().equals("\"\""))));
        }

        /** Present in name only, or not at all. */
        private void absent(List<Member> members, String name) {
            if (dice.chance(0.15)) {
                add(members, name, new Raw(dice.pick("null", "\"\"")));
            }
        }

        /** A value that is there and no folder can be made of. */
        private Json unusable() {
            return new Raw(dice.pick(
                    "true", "false", "{}", "[]", "{\"id\":7}", "[\"acme\"]", "NaN", "-Infinity", "\"x\\ud800y\""));
        }

        private void add(List<Member> members, String name, Json value) {
            Member member = new Member(Text.key(name, dice), value);
            names.put(member, name);
            members.add(member);
        }
    }
}
