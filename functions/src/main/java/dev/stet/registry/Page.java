package dev.stet.registry;

import java.util.List;
import java.util.Optional;

/** A part of a list. @param last the name at which it ends, when there is more */
public record Page<T>(List<T> items, Optional<String> last) {
    public Page {
        items = List.copyOf(items);
    }
}
