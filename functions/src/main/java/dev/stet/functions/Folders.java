package dev.stet.functions;

import dev.stet.copy.CommitIds;

/** Keys in staging of what functions hand each other. */
final class Folders {
    private Folders() {}

    /** Beginning of the keys of a round's files. Another each time: a call that is repeated leaves its predecessor's files alone. */
    static String ofRound(String run, int number, CommitIds ids) {
        return "runs/" + run + "/round-%04d-%s".formatted(number, ids.next());
    }

    /** Beginning of the keys of what a task left over. */
    static String left(String run, CommitIds ids) {
        return "runs/" + run + "/left-" + ids.next();
    }

    static String report(String run) {
        return "reports/" + run + ".json";
    }
}
