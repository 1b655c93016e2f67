package dev.stet.aws.dynamodb;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.MiniStack;
import dev.stet.config.ConfigException;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.LedgerContract;
import dev.stet.ledger.ManualClock;
import dev.stet.ledger.SourcesContract;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Over HTTP, with the SDK's own marshalling and retries. One table for all tests, a pipeline for each. */
class MiniStackDynamoDbLedgerTest extends LedgerContract implements SourcesContract {
    private static final String TABLE = "ledger-contract";
    private static final AtomicInteger PIPELINES = new AtomicInteger();
    private static Optional<AwsAccess> access = Optional.empty();
    private static Optional<DynamoDb> service = Optional.empty();

    private final String pipeline = "pipeline-" + PIPELINES.incrementAndGet();

    @BeforeAll
    static void start() throws IOException, ConfigException {
        MiniStack server = MiniStack.shared();
        access = Optional.of(new AwsAccess(Ledgers.credentials()));
        service = Optional.of(new DynamoDb(
                access.get(),
                Optional.of("eu-west-1"),
                Optional.of(server.endpoint().toString())));
        service.get().admin().create(TABLE);
    }

    @AfterAll
    static void stop() {
        service.ifPresent(DynamoDb::close);
        access.ifPresent(AwsAccess::close);
    }

    @Override
    protected Ledger open(ManualClock clock) {
        return openFor("s3://source/");
    }

    @Override
    public Ledger openFor(String source) {
        return service.orElseThrow().ledger(TABLE, pipeline, source, clock());
    }

    /** A request takes it some 15 ms, and it serves one at a time. */
    @Override
    public int keysPerStorm() {
        return 40;
    }

    @Override
    public int manyCommits() {
        return 120;
    }
}
