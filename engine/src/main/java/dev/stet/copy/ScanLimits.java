package dev.stet.copy;

/**
 * How a scan cuts its range.
 *
 * @param pageObjects objects a new page gets; a page is split when it is found to hold twice as many
 * @param taskObjects most objects in a task
 * @param taskBytes stored bytes after which a task is handed out
 * @param taskPages most pages a task touches, well below what a commit may
 */
public record ScanLimits(int pageObjects, int taskObjects, long taskBytes, int taskPages) {
    public static final ScanLimits DEFAULT = new ScanLimits(1_000, 1_000, 256L << 20, 50);
}
