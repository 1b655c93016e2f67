package dev.stet.aws.s3;

import static dev.stet.aws.s3.StubS3.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.aws.AwsAccess;
import dev.stet.aws.FreshCredentials;
import dev.stet.aws.s3.StubS3.Op;
import dev.stet.run.Stores.Remote;
import dev.stet.store.StoreException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

/** What preflight makes of its findings: one line that names each trouble once. */
class S3StoresTest extends StubTest {
    private final S3Stores stores = new S3Stores(
            StoreOptions.DEFAULT, () -> new AwsAccess(new FreshCredentials(AnonymousCredentialsProvider::create)));

    @BeforeEach
    void fill() {
        stub.objects().put("raw/a", new byte[1]);
    }

    @AfterEach
    void closeStores() {
        stores.close();
    }

    private void preflight() throws Exception {
        stores.preflight(
                new Remote(
                        Optional.of(location("raw/", false)),
                        Optional.of(location("lake", false)),
                        Optional.of(location("_stet/p/", false))),
                note -> {});
    }

    @Test
    void placesWithOneTroubleAreNamedTogetherAndOtherTroublesBesideThem() {
        stub.always(Op.CREATE, error(404, "NoSuchBucket", "x"));
        stub.always(
                Op.LIST,
                call -> call.query().get("prefix").startsWith("raw")
                        && error(403, "AccessDenied", "Access Denied").meets(call));
        assertThatThrownBy(this::preflight)
                .isInstanceOf(StoreException.class)
                .hasMessageMatching("s3://devices/raw/: access denied, .*; s3://devices: there is no such bucket");
        stub.always(Op.CREATE, error(400, "InvalidRequest", "odd"));
        assertThatThrownBy(this::preflight)
                .hasMessageMatching(
                        ".*; s3://devices/lake/stet-probe-[^ ]+, s3://devices/_stet/p/stet-probe-[^ ]+: .*odd.*");
    }

    @Test
    void whereNobodyAnswersNoOtherPlaceIsTried() {
        stub.always(Op.LIST, call -> {
            call.exchange().close();
            return true;
        });
        System.setProperty("aws.maxAttempts", "2");
        try {
            assertThatThrownBy(this::preflight)
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("s3://devices/raw/: no answer from " + stub.endpoint())
                    .hasMessageNotContaining("lake");
        } finally {
            System.clearProperty("aws.maxAttempts");
        }
        assertThat(stub.count(Op.CREATE) + stub.count(Op.LIST_UPLOADS)).isZero();
    }
}
