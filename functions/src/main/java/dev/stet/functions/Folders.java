package dev.stet.functions;

import dev.stet.copy.CommitIds;

/** Keys in staging of what functions hand each other. */
final class Folders {
    private Folders() {}

    /** Another each time: a call that is repeated leaves its predecessor's files alone. */
    static String ofRound(String run, int number, CommitIds ids) {
        return "runs/" + run + "/round-%04d-%s".formatted(number, ids.next());
    }

    static String left(String run, CommitIds ids) {
        return "runs/" + run + "/left/" + ids.next() + ".jsonl";
    }

    static String report(String run) {
        return "reports/" + run + ".json";
    }
}
