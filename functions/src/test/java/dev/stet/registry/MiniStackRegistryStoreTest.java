package dev.stet.registry;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.aws.MiniStack;
import dev.stet.aws.dynamodb.DynamoDb;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Over HTTP, with the SDK's own marshalling and retries. */
class MiniStackRegistryStoreTest extends RegistryStoreContract {
    private static final String TABLE = "registry-contract";
    private static Optional<AwsAccess> access = Optional.empty();
    private static Optional<DynamoDb> service = Optional.empty();

    @BeforeAll
    static void start() throws Exception {
        MiniStack server = MiniStack.shared();
        access = Optional.of(new AwsAccess(new FreshCredentials(
                () -> StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))));
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
    protected RegistryStore open() throws IOException {
        return new DynamoDbRegistryStore(service.orElseThrow().documents(TABLE));
    }

    /** A request takes it some 15 ms, and it serves one at a time. */
    @Override
    protected int crowd() {
        return 12;
    }
}
