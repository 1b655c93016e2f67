package dev.stet.route;

/**
 * One partition level, ready for use: path numbers of its alternatives, and what the folder of each begins with ({@code p_tenant_id=}).
 * {@code missingFolder} is the whole default folder; empty: none. Arrays are shared and never written to.
 */
final class LevelFields {
    private final int[] paths;
    private final byte[][] prefixes;
    private final byte[] missingFolder;

    LevelFields(int[] paths, byte[][] prefixes, byte[] missingFolder) {
        this.paths = paths;
        this.prefixes = prefixes;
        this.missingFolder = missingFolder;
    }

    int[] paths() {
        return paths;
    }

    int path(int alternative) {
        return paths[alternative];
    }

    byte[] prefix(int alternative) {
        return prefixes[alternative];
    }

    byte[] missingFolder() {
        return missingFolder;
    }
}
