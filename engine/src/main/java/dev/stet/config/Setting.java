package dev.stet.config;

/**
 * Where a setting stands, for messages.
 *
 * @param where as users find it: {@code skippr.yml:14: batch_time_unit} or {@code --batch-time-unit}
 */
public record Setting(String where) {
    public ConfigException error(String problem) {
        return new ConfigException(where + ": " + problem);
    }
}
