package dev.stet.functions;

import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.StoredObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a map wrote of its items (ResultWriter). Only successes are taken at their word: whatever is not among them, for whatever reason, is to be done again. So
 * nothing is lost if the map was ended early or its results are incomplete. One entry is held at a time.
 */
final class MapResults {
    private static final Pattern SUCCEEDED = Pattern.compile(".*/SUCCEEDED_\\d+\\.json", Pattern.DOTALL);
    private static final Pattern FAILED = Pattern.compile(".*/FAILED_\\d+\\.json", Pattern.DOTALL);

    /** Reads one of several values. */
    private static final ObjectReader ENTRIES =
            JsonMapper.shared().reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ObjectStore staging;
    private final Round round;
    private final BitSet succeeded = new BitSet();
    private Optional<String> failure = Optional.empty();

    /** Takes the output of an item that succeeded. */
    interface Outputs {
        void accept(JsonNode output) throws IOException;
    }

    /** Takes a task's line. */
    interface Lines {
        void accept(String line) throws IOException;
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

    /** Reads the tasks of the round that did not succeed. Call after {@link #read}. */
    void undone(Lines lines) throws IOException {
        StoredObject tasks = staging.readBack(round.tasksKey())
                .orElseThrow(() ->
                        new IOException("the tasks of the round are gone: " + staging.describe(round.tasksKey())));
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(staging.read(round.tasksKey(), 0, tasks.size()), StandardCharsets.UTF_8))) {
            int n = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!succeeded.get(n++)) {
                    lines.accept(line);
                }
            }
        }
    }

    private List<String> keys() throws IOException {
        String prefix = round.resultsPrefix() + "/";
        List<String> keys = new ArrayList<>();
        // Keys below the prefix sort before the prefix with the character after its slash.
        KeyRange below = new KeyRange(prefix, Optional.of(round.resultsPrefix() + "0"));
        try (ObjectListing listing = staging.list(below)) {
            for (Optional<ListEntry> e = listing.next(); e.isPresent(); e = listing.next()) {
                keys.add(e.get().key());
            }
        }
        return keys;
    }

    private void entries(String key, Outputs each) throws IOException {
        StoredObject file = staging.readBack(key)
                .orElseThrow(() -> new IOException("a result file is gone: " + staging.describe(key)));
        try (InputStream in = staging.read(key, 0, file.size());
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
        int n = (int) Item.of(Events.object(input, "item")).n();
        if (!succeeded.get(n)) {
            succeeded.set(n);
            outputs.accept(JsonMapper.shared().readTree(Events.text(entry, "Output")));
        }
    }

    private void failed(JsonNode entry) {
        if (failure.isEmpty()) {
            failure = Causes.of(entry);
        }
    }
}
