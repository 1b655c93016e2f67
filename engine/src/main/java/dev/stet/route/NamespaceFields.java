package dev.stet.route;

import java.util.List;

/** Which partition levels and time fields count in one namespace. */
final class NamespaceFields {
    /** Stands for the fields of a record without namespace. */
    static final NamespaceFields NONE = new NamespaceFields(List.of(), new int[0]);

    private final LevelFields[] levels;
    private final int[] timePaths;

    NamespaceFields(List<LevelFields> levels, int[] timePaths) {
        this.levels = levels.toArray(LevelFields[]::new);
        this.timePaths = timePaths;
    }

    int levelCount() {
        return levels.length;
    }

    LevelFields level(int index) {
        return levels[index];
    }

    boolean hasTime() {
        return timePaths.length > 0;
    }

    int[] timePaths() {
        return timePaths;
    }
}
