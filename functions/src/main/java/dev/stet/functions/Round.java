package dev.stet.functions;

import dev.stet.stage.TaskFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One round of a map: the tasks it is given, and where its results go. As JSON it is the {@code round} of an execution's state; whatever the archive's size, it
 * is small.
 *
 * @param number counts from 1
 * @param idle rounds before this one, in a row, that achieved nothing
 * @param itemsKey in staging: a {@link dev.stet.stage.TaskItem} a line
 */
record Round(int number, long tasks, int idle, String itemsKey) {
    private static final String ITEMS = "-items.jsonl";
    private static final String RESULTS = "-results";

    /** Of what there is nothing to do. */
    static Round none(int number) {
        return new Round(number, 0, 0, "none" + ITEMS);
    }

    static Round of(int number, int idle, TaskFile.Written file) {
        return new Round(number, file.tasks(), idle, file.itemsKey());
    }

    /** Written by the service, whose uploads may take as long as a map does. */
    static boolean isResult(String key) {
        return key.contains(RESULTS + "/");
    }

    /** In staging: the map writes what became of its items below this. */
    String resultsPrefix() {
        return itemsKey.substring(0, itemsKey.length() - ITEMS.length()) + RESULTS;
    }

    /** For the state: with the full keys that the map reads and writes. */
    ObjectNode json(Site site) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("number", number)
                .put("tasks", tasks)
                .put("idle", idle)
                .put("stop", false)
                .put("done", false)
                .put("more", false)
                .put("itemsKey", itemsKey);
        json.putObject("items").put("bucket", site.stagingAt().bucket()).put("key", site.stagedKey(itemsKey));
        json.putObject("results")
                .put("bucket", site.stagingAt().bucket())
                .put("prefix", site.stagedKey(resultsPrefix()));
        return json;
    }

    static Round parse(JsonNode json) {
        String itemsKey = Events.text(json, "itemsKey");
        if (!itemsKey.endsWith(ITEMS)) {
            throw new RefusedRunException("not the items of a round: " + itemsKey);
        }
        return new Round(
                (int) Events.number(json, "number"),
                Events.number(json, "tasks"),
                (int) Events.number(json, "idle"),
                itemsKey);
    }
}
