package dev.stet.functions;

import dev.stet.stage.TaskItem;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a map wrote of its items (ResultWriter). Only successes are taken at their word: whatever is not among them, for whatever reason, is to be done again. So
 * nothing is lost if the map was ended early or its results are incomplete. One entry is held at a time, and of each success the place of its task.
 */
final class MapResults {
    private static final Pattern SUCCEEDED = Pattern.compile(".*/SUCCEEDED_\\d+\\.json", Pattern.DOTALL);
    private static final Pattern FAILED = Pattern.compile(".*/FAILED_\\d+\\.json", Pattern.DOTALL);
    /** Reads one of several values. */
    private static final ObjectReader ENTRIES =
            JsonMapper.shared().reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ObjectStore staging;
    private final Round round;
    /** Offsets by file. */
    private final Map<String, Set<Long>> succeeded = new HashMap<>();

    private Optional<String> failure = Optional.empty();

    /** Takes the output of an item that succeeded. */
    interface Outputs {
        void accept(JsonNode output) throws IOException;
    }

    /** Takes an item. */
    interface Items {
        void accept(TaskItem item) throws IOException;
    }

    MapResults(ObjectStore staging, Round round) {
        this.staging = staging;
        this.round = round;
    }

    /** Reads the results. Each item's output is handed on once. */
    void read(Outputs outputs) throws IOException {
        for (String key : keys()) {
            if (SUCCEEDED.matcher(key).matches()) {
                entries(key, entry -> succeeded(entry, outputs));
            } else if (FAILED.matcher(key).matches() && failure.isEmpty()) {
                entries(key, this::failed);
            }
        }
    }

    /** What went wrong with one of the items, as the service tells it. */
    Optional<String> failure() {
        return failure;
    }

    /** Reads the items of the round that did not succeed. Call after {@link #read}. */
    void undone(Items undone) throws IOException {
        StagedText.lines(staging, round.itemsKey(), line -> {
            TaskItem item = TaskItem.ofLine(line);
            if (!succeeded.getOrDefault(item.key(), Set.of()).contains(item.offset())) {
                undone.accept(item);
            }
        });
    }

    private List<String> keys() throws IOException {
        List<String> keys = new ArrayList<>();
        // Up to the prefix with the character after the slash.
        KeyRange below = new KeyRange(round.resultsPrefix() + "/", Optional.of(round.resultsPrefix() + "0"));
        try (ObjectListing listing = staging.list(below)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                keys.add(e.get().key());
            }
        }
        return keys;
    }

    private void entries(String key, Outputs each) throws IOException {
        try (InputStream in = StagedText.open(staging, key);
                JsonParser parser = JsonMapper.shared().createParser(in)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("no list of results: " + staging.describe(key));
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                each.accept(ENTRIES.readTree(parser));
            }
        }
    }

    private void succeeded(JsonNode entry, Outputs outputs) throws IOException {
        JsonNode input = JsonMapper.shared().readTree(Events.text(entry, "Input"));
        TaskItem item = TaskItem.ofLine(Events.object(input, "item").toString());
        if (succeeded.computeIfAbsent(item.key(), _ -> new HashSet<>()).add(item.offset())) {
            outputs.accept(JsonMapper.shared().readTree(Events.text(entry, "Output")));
        }
    }

    private void failed(JsonNode entry) {
        if (failure.isEmpty()) {
            failure = Causes.of(entry);
        }
    }
}
