package dev.stet.record;

import java.util.List;

/**
 * The distinct dotted paths a framer captures values for. The index of a path in {@link #paths()} is its number in {@link FieldValues}.
 * Paths are split on dots and walk objects only (rule book D22).
 */
public record FieldPaths(List<String> paths) {
    public FieldPaths {
        paths = List.copyOf(paths);
        if (paths.stream().distinct().count() != paths.size()) {
            throw new IllegalArgumentException("paths must be distinct: " + paths);
        }
    }

    public int size() {
        return paths.size();
    }
}
