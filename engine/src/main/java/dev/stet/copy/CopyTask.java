package dev.stet.copy;

import java.util.List;

/** Objects for one copy worker, in key order. {@code bytes}: their stored size. */
public record CopyTask(List<TodoObject> objects, long bytes) {
    public CopyTask {
        objects = List.copyOf(objects);
    }

    public static CopyTask of(List<TodoObject> objects) {
        return new CopyTask(
                objects, objects.stream().mapToLong(o -> o.info().size()).sum());
    }
}
