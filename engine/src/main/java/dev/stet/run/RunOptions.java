package dev.stet.run;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a run uses this machine; nothing here changes what lands.
 *
 * @param ledger which ledger; with a table, no state folder is needed between S3 and S3
 * @param state folder of the ledger; empty: the default, a folder per user named by a hash of source and sink (design §6)
 * @param staging directory or {@code s3://} location; empty: beside the ledger for a directory sink
 * @param stagingMax bytes; empty: half of the staging disk's free space
 * @param memory bytes for records waiting to be staged, all workers together; empty: half the heap
 * @param flush whether the run lands everything it committed before it ends
 * @param sharedSink the sink may hold landed objects this ledger does not know
 */
public record RunOptions(
        LedgerPlace ledger,
        Optional<Path> state,
        Optional<String> staging,
        Optional<Long> stagingMax,
        int threads,
        Optional<Long> memory,
        boolean flush,
        boolean sharedSink,
        boolean acceptRoutingChange) {}
