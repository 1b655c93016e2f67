package dev.stet.functions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One round of a map: the tasks it is given, and where its results go. As JSON it is the {@code round} of an execution's state; whatever the archive's size, it
 * is small.
 *
 * @param number counts from 1
 * @param idle rounds before this one, in a row, that achieved nothing
 * @param folder in staging, with the files of this round
 */
record Round(int number, long tasks, int idle, String folder) {
    private static final String TASKS = "/tasks.jsonl";
    private static final String ITEMS = "/items.jsonl";
    private static final String RESULTS = "/results";

    /** Of what there is nothing to do. */
    static Round none(int number) {
        return new Round(number, 0, 0, "");
    }

    /** In staging: one task a line. */
    String tasksKey() {
        return folder + TASKS;
    }

    /** In staging: one item of the map a line, which says where its task's line lies. */
    String itemsKey() {
        return folder + ITEMS;
    }

    /** In staging: the map writes what became of its items below this. */
    String resultsPrefix() {
        return folder + RESULTS;
    }

    /** For the state: with the full keys that the map reads and writes. */
    ObjectNode json(Site site) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("number", number)
                .put("tasks", tasks)
                .put("idle", idle)
                .put("stop", false)
                .put("done", false)
                .put("folder", folder);
        json.putObject("items").put("bucket", site.stagingAt().bucket()).put("key", site.stagedKey(itemsKey()));
        json.putObject("results")
                .put("bucket", site.stagingAt().bucket())
                .put("prefix", site.stagedKey(resultsPrefix()));
        return json;
    }

    static Round of(JsonNode json) {
        return new Round(
                (int) Events.number(json, "number"),
                Events.number(json, "tasks"),
                (int) Events.number(json, "idle"),
                Events.text(json, "folder"));
    }
}
