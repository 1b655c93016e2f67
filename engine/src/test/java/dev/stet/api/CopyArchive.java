package dev.stet.api;

import dev.stet.config.ConfigException;
import dev.stet.run.LocalEngine;
import java.io.IOException;
import java.nio.file.Path;

/** The example of docs/java.md, as it stands there; {@link JavaPageTest} compares the two and runs it. */
final class CopyArchive {
    private CopyArchive() {}

    // begin: docs/java.md
    static Outcome copy(String archive, String lake, String file, Path state) throws ConfigException, IOException {
        Config config = new Config()
                .workspace("copy-demo")
                .pipeline(new Pipeline("gdpr_migration")
                        .type(PipelineType.COPY)
                        .dataSource(new DataSourceFile("raw").path(archive))
                        .dataSink(new DataSinkFile("landing").outputDir(lake))
                        .transform(new Transform()
                                .namespaceFields("event_type")
                                .batchPartitionFields("detail.tenant_id,tenant_id,tid,truck.tenant_id,device.tenant_id")
                                .partitionName("tenant_id")
                                .batchTimeFields("time,system_datetime,date")
                                .batchTimeUnit(BatchTimeUnit.DAY)
                                .timePartitionPrefix("p_")));
        config.save(file); // the same pipeline for `stet sync --config FILE`

        return Run.of(Config.load(file), "gdpr_migration")
                .state(state)
                .onEvent(event -> {
                    if (event instanceof Event.Unreadable object) {
                        throw new IllegalStateException(object.source() + ": " + object.message());
                    }
                })
                .once(new LocalEngine());
    }
    // end: docs/java.md
}
