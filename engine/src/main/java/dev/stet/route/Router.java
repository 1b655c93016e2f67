package dev.stet.route;

import dev.stet.record.FieldPaths;
import dev.stet.record.FieldValues;
import dev.stet.record.FieldValues.Kind;
import dev.stet.record.Reason;

/**
 * Finds the partition of a record from the values its framer captured (rule book D4, D21 to D34; layout of design §7). Faults are reported in the
 * order namespace, partition, time, length of the key; the first one found is the record's only reason.
 *
 * <p>One instance a thread. Nothing is allocated from record to record, and nothing is kept of a record but the last time folder, so memory does
 * not depend on what the records hold.
 */
public final class Router {
    /** What the name of a landed object may add to its partition's path: {@code /apply-<32 hex>-<19 digits>-<10 digits>.jsonl.gz} and one spare. */
    static final int FILE_NAME_RESERVE = 80;

    /** S3's limit of a key, in bytes. */
    static final int MAX_KEY = 1024;

    private static final int MISSING = -1;
    private static final int CONFLICT = -2;
    private static final int TIME_TEXT_MAX = 1024;

    private final RoutingPlan plan;
    private final FieldPaths paths;
    private final NamespaceFields fixedFields;
    private final NamespaceFields missingFields;
    private final int maxPath;
    private final Route route;
    private final PathBuffer path;
    private final TimeFolders timeFolders;
    private final byte[] timeText = new byte[TIME_TEXT_MAX];

    /** For a sink whose keys are limited by nothing but the path and the name below it. */
    public Router(RoutingSettings settings) {
        this(settings, 0);
    }

    /**
     * For a sink that has a prefix in its bucket.
     *
     * @param sinkPrefixBytes how much of a landed object's key comes before the partition path: a sink's prefix in its bucket
     * @throws IllegalArgumentException if a folder fixed by the settings alone is longer than a folder may be
     */
    public Router(RoutingSettings settings, int sinkPrefixBytes) {
        this.plan = new RoutingPlan(settings);
        this.paths = plan.paths();
        this.fixedFields = plan.fixedFields();
        this.missingFields = plan.missingFields();
        this.maxPath = MAX_KEY - FILE_NAME_RESERVE - sinkPrefixBytes;
        this.timeFolders = new TimeFolders(settings);
        this.path = new PathBuffer(plan.maxFolders() * (PathBuffer.MAX_FOLDER + 1) + timeFolders.maxLength());
        this.route = new Route(path);
    }

    /** The paths a framer has to capture for this router, and their numbers. */
    public FieldPaths paths() {
        return paths;
    }

    /** Routes one record. The result is valid until the next call. */
    public RouteResult route(FieldValues values) {
        path.clear();
        var fields = namespace(values);
        if (fields != NamespaceFields.NONE && partition(values, fields) && time(values, fields)) {
            if (path.length() <= maxPath) {
                route.accept();
            } else {
                route.refuse(Reason.KEY_TOO_LONG);
            }
        }
        return route;
    }

    /** Writes the namespace folder and tells which fields count in it; {@link NamespaceFields#NONE} after a fault. */
    private NamespaceFields namespace(FieldValues values) {
        if (plan.namespacePaths().length == 0) {
            path.folder(plan.fixedNamespace());
            return fixedFields;
        }
        int chosen = choose(values, plan.namespacePaths());
        if (chosen == MISSING && plan.missingNamespace().length > 0) {
            path.folder(plan.missingNamespace());
            return missingFields;
        }
        if (chosen < 0) {
            return refuseNamespace(chosen == MISSING ? Reason.MISSING_NAMESPACE : Reason.DUPLICATE_KEY);
        }
        if (!isText(values.kind(chosen))) {
            return refuseNamespace(Reason.BAD_NAMESPACE);
        }
        path.beginFolder();
        var outcome = path.value(values.bytes(chosen), values.from(chosen), values.to(chosen), values.escaped(chosen));
        if (outcome == PathBuffer.Outcome.WRITTEN) {
            outcome = path.maskNamespace();
        }
        return outcome == PathBuffer.Outcome.WRITTEN
                ? plan.fields(path.bytes(), path.length())
                : refuseNamespace(reason(outcome, Reason.BAD_NAMESPACE));
    }

    private NamespaceFields refuseNamespace(Reason reason) {
        route.refuse(reason);
        return NamespaceFields.NONE;
    }

    private boolean partition(FieldValues values, NamespaceFields fields) {
        for (int i = 0; i < fields.levelCount(); i++) {
            if (!level(values, fields.level(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean level(FieldValues values, LevelFields level) {
        int alternative = chooseAlternative(values, level.paths());
        if (alternative == MISSING && level.missingFolder().length > 0) {
            path.folder(level.missingFolder());
            return true;
        }
        if (alternative < 0) {
            return refuse(alternative == MISSING ? Reason.MISSING_PARTITION : Reason.DUPLICATE_KEY);
        }
        int chosen = level.path(alternative);
        if (!isText(values.kind(chosen))) {
            return refuse(Reason.BAD_PARTITION);
        }
        path.folder(level.prefix(alternative));
        var outcome = path.value(values.bytes(chosen), values.from(chosen), values.to(chosen), values.escaped(chosen));
        return outcome == PathBuffer.Outcome.WRITTEN || refuse(reason(outcome, Reason.BAD_PARTITION));
    }

    private boolean time(FieldValues values, NamespaceFields fields) {
        if (!fields.hasTime()) {
            route.timePartition(RouteResult.NO_TIME);
            return true;
        }
        int chosen = choose(values, fields.timePaths());
        if (chosen == MISSING && timeFolders.hasMissing()) {
            path.folder(timeFolders.missing());
            route.timePartition(RouteResult.NO_TIME);
            return true;
        }
        if (chosen < 0) {
            return refuse(chosen == MISSING ? Reason.MISSING_TIME : Reason.DUPLICATE_KEY);
        }
        long minute = minute(values, chosen);
        if (minute < 0) {
            return refuse(timeFault(values, chosen, minute));
        }
        timeFolders.moveTo(minute);
        path.folder(timeFolders.bytes(), timeFolders.length());
        route.timePartition(timeFolders.timePartition());
        return true;
    }

    private long minute(FieldValues values, int chosen) {
        byte[] bytes = values.bytes(chosen);
        return switch (values.kind(chosen)) {
            case NUMBER -> EventTime.ofNumber(bytes, values.from(chosen), values.to(chosen));
            case STRING ->
                values.escaped(chosen)
                        ? ofEscaped(bytes, values.from(chosen), values.to(chosen))
                        : EventTime.ofText(bytes, values.from(chosen), values.to(chosen));
            default -> EventTime.BAD;
        };
    }

    private long ofEscaped(byte[] bytes, int from, int to) {
        int length = JsonText.unescapeAscii(bytes, from, to, timeText);
        return length < 0 ? EventTime.BAD : EventTime.ofText(timeText, 0, length);
    }

    private static Reason timeFault(FieldValues values, int chosen, long fault) {
        if (values.kind(chosen) == Kind.STRING
                && !JsonText.isUtf8(values.bytes(chosen), values.from(chosen), values.to(chosen))) {
            return Reason.INVALID_UTF8;
        }
        return fault == EventTime.AMBIGUOUS ? Reason.AMBIGUOUS_TIME : Reason.BAD_TIME;
    }

    private static int choose(FieldValues values, int[] paths) {
        int alternative = chooseAlternative(values, paths);
        return alternative < 0 ? alternative : paths[alternative];
    }

    /** The first alternative that holds something (rule book D24), {@link #MISSING}, or {@link #CONFLICT} when one consulted on the way is torn. */
    private static int chooseAlternative(FieldValues values, int[] paths) {
        for (int i = 0; i < paths.length; i++) {
            int number = paths[i];
            if (values.conflicting(number)) {
                return CONFLICT;
            }
            var kind = values.kind(number);
            boolean empty = kind == Kind.ABSENT
                    || kind == Kind.NULL
                    || (kind == Kind.STRING && values.from(number) == values.to(number));
            if (!empty) {
                return i;
            }
        }
        return MISSING;
    }

    private static boolean isText(Kind kind) {
        return kind == Kind.STRING || kind == Kind.NUMBER;
    }

    private static Reason reason(PathBuffer.Outcome outcome, Reason bad) {
        return switch (outcome) {
            case INVALID_UTF8 -> Reason.INVALID_UTF8;
            case TOO_LONG -> Reason.KEY_TOO_LONG;
            default -> bad;
        };
    }

    private boolean refuse(Reason reason) {
        route.refuse(reason);
        return false;
    }

    /** The one result of this router, over the one path. */
    private static final class Route implements RouteResult {
        private final PathBuffer path;
        private boolean routed;
        private Reason reason = Reason.MISSING_NAMESPACE;
        private long timePartition;

        Route(PathBuffer path) {
            this.path = path;
        }

        void accept() {
            routed = true;
        }

        void refuse(Reason why) {
            routed = false;
            reason = why;
        }

        void timePartition(long value) {
            timePartition = value;
        }

        @Override
        public boolean routed() {
            return routed;
        }

        @Override
        public Reason reason() {
            return reason;
        }

        @Override
        public byte[] pathBytes() {
            return path.bytes();
        }

        @Override
        public int pathLength() {
            return path.length();
        }

        @Override
        public long timePartition() {
            return timePartition;
        }
    }
}
