package dev.stet.run;

import dev.stet.config.ConfigException;
import java.util.regex.Pattern;

/** Where a run keeps its ledger. */
public sealed interface LedgerPlace {
    /** One SQLite file in the state folder: the default. One process at a time. */
    record Embedded() implements LedgerPlace {}

    /** A DynamoDB table that many pipelines, processes and machines share. */
    record Table(String name) implements LedgerPlace {
        @Override
        public String toString() {
            return PREFIX + name;
        }
    }

    LedgerPlace EMBEDDED = new Embedded();

    String PREFIX = "dynamodb:";

    /** What the service accepts as a name. */
    Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");

    /** Reads {@code sqlite} or {@code dynamodb:TABLE}. @param setting what to name in an error */
    static LedgerPlace parse(String text, String setting) throws ConfigException {
        if (text.equals("sqlite")) {
            return EMBEDDED;
        }
        if (!text.startsWith(PREFIX)) {
            throw new ConfigException(setting + ": a ledger is sqlite or dynamodb:TABLE, not " + text);
        }
        return new Table(tableName(text.substring(PREFIX.length()), setting));
    }

    /** Checks the name of a table. @param setting what to name in an error */
    static String tableName(String name, String setting) throws ConfigException {
        if (!TABLE_NAME.matcher(name).matches()) {
            throw new ConfigException(setting + ": the name of a table has 3 to 255 letters, digits, _ . or -, not "
                    + (name.isEmpty() ? "nothing" : name));
        }
        return name;
    }
}
