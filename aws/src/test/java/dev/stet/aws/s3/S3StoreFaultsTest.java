package dev.stet.aws.s3;

import static dev.stet.aws.s3.StubS3.error;
import static dev.stet.aws.s3.StubS3.slowDown;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.aws.s3.StubS3.Fault;
import dev.stet.aws.s3.StubS3.Op;
import dev.stet.store.ObjectWriter;
import dev.stet.store.ObjectWriter.Outcome;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.store.UnknownOutcomeException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What befalls writes: lost answers, conflicts, throttling, aborted uploads. */
class S3StoreFaultsTest extends StubTest {
    private static final PartSizes SMALL_PARTS = new PartSizes(1_000, 2, 2_000, 8_000);
    private static final byte[] SMALL = random(900);
    private static final byte[] LARGE = random(25_500);

    private final StoreOptions options = StoreOptions.DEFAULT.withParts(SMALL_PARTS);

    @Test
    void aSmallObjectIsOneRequest() throws Exception {
        assertThat(create(store(options), "k", SMALL)).isEqualTo(Outcome.CREATED);
        assertThat(stub.objects().get("lake/k")).isEqualTo(SMALL);
        assertThat(stub.calls(Op.PUT))
                .singleElement()
                .satisfies(c -> assertThat(c.headers())
                        .containsEntry("if-none-match", "*")
                        .containsEntry("x-amz-checksum-crc32c", Crc.encode(crc(SMALL)))
                        .doesNotContainKey("x-amz-storage-class"));
        assertThat(store(options).readBack("k")).contains(new StoredObject(SMALL.length, crc(SMALL)));
        assertThat(stub.count(Op.GET)).isZero();
    }

    @Test
    void aLargeObjectIsAnUploadInPartsThatGrow() throws Exception {
        assertThat(create(store(options), "k", LARGE)).isEqualTo(Outcome.CREATED);
        assertThat(stub.objects().get("lake/k")).isEqualTo(LARGE);
        // Two parts of 1,000, two of 2,000, then such as lie in a file.
        assertThat(stub.calls(Op.PART))
                .extracting(c -> c.body().length)
                .containsExactly(1_000, 1_000, 2_000, 2_000, 8_000, 8_000, 3_500);
        assertThat(stub.calls(Op.PART))
                .allSatisfy(
                        c -> assertThat(c.headers()).containsEntry("x-amz-checksum-crc32c", Crc.encode(crc(c.body()))));
        assertThat(stub.calls(Op.CREATE))
                .singleElement()
                .satisfies(c -> assertThat(c.headers())
                        .containsEntry("x-amz-checksum-type", "FULL_OBJECT")
                        .containsEntry("x-amz-checksum-algorithm", "CRC32C"));
        assertThat(stub.calls(Op.COMPLETE)).singleElement().satisfies(c -> {
            assertThat(c.headers())
                    .containsEntry("if-none-match", "*")
                    .containsEntry("x-amz-checksum-crc32c", Crc.encode(crc(LARGE)));
            assertThat(new String(c.body(), UTF_8)).contains("<PartNumber>7</PartNumber>");
        });
        assertThat(stub.uploads()).isZero();
    }

    @Test
    void thatTheKeyIsTakenIsToldAlsoWhereTheUploadMayNotBeAborted() throws Exception {
        create(store(options), "k", LARGE);
        stub.always(Op.ABORT, error(403, "AccessDenied", "no"));
        assertThat(create(store(options), "k", LARGE)).isEqualTo(Outcome.EXISTS);
        assertThat(stub.count(Op.ABORT)).isPositive();
    }

    @Test
    void anObjectOfOnePartNeedsNoUpload() throws Exception {
        create(store(options), "k", Arrays.copyOf(LARGE, 1_000));
        assertThat(stub.count(Op.CREATE)).isZero();
        create(store(options), "l", Arrays.copyOf(LARGE, 1_001));
        assertThat(stub.calls(Op.PART)).extracting(c -> c.body().length).containsExactly(1_000, 1);
    }

    @Test
    void fiveTerabytesFit() {
        long bytes = 0;
        long mostMemory = 0;
        int parts = 0;
        while (bytes < 5L << 40) {
            long size = PartSizes.DEFAULT.of(++parts);
            bytes += size;
            mostMemory = size <= PartSizes.DEFAULT.largestInMemory() ? Math.max(mostMemory, size) : mostMemory;
        }
        assertThat(parts).isLessThanOrEqualTo(PartSizes.MAX_PARTS);
        assertThat(mostMemory).isEqualTo(64 << 20);
        assertThat(PartSizes.DEFAULT.of(PartSizes.MAX_PARTS)).isLessThanOrEqualTo(5L << 30);
    }

    @Test
    void encryptionAndStorageClassAreSaidWhereObjectsBegin() throws Exception {
        S3Store store = store(options.withKmsKey("alias/stet").withStorageClass("STANDARD_IA"));
        create(store, "small", SMALL);
        create(store, "large", LARGE);
        for (Op op : new Op[] {Op.PUT, Op.CREATE}) {
            assertThat(stub.calls(op))
                    .singleElement()
                    .satisfies(c -> assertThat(c.headers())
                            .containsEntry("x-amz-server-side-encryption", "aws:kms")
                            .containsEntry("x-amz-server-side-encryption-aws-kms-key-id", "alias/stet")
                            .containsEntry("x-amz-storage-class", "STANDARD_IA"));
        }
    }

    @Test
    void withoutChecksumsNoneIsSentAndTheBytesAreReadBack() throws Exception {
        S3Store store = store(options.withoutChecksums());
        create(store, "small", SMALL);
        create(store, "large", LARGE);
        for (Op op : new Op[] {Op.PUT, Op.CREATE, Op.PART, Op.COMPLETE}) {
            assertThat(stub.calls(op))
                    .isNotEmpty()
                    .allSatisfy(c -> assertThat(c.headers().keySet())
                            .noneMatch(h -> h.startsWith("x-amz-checksum") || h.contains("sdk-checksum")));
        }
        assertThat(store.readBack("large")).contains(new StoredObject(LARGE.length, crc(LARGE)));
        assertThat(stub.count(Op.GET)).isOne();
    }

    @Test
    void throttlingIsWaitedOut() throws Exception {
        stub.next(Op.PUT, slowDown(), slowDown(), slowDown());
        assertThat(create(store(options), "small", SMALL)).isEqualTo(Outcome.CREATED);
        stub.next(Op.PART, slowDown(), slowDown());
        stub.next(Op.COMPLETE, slowDown());
        assertThat(create(store(options), "large", LARGE)).isEqualTo(Outcome.CREATED);
        assertThat(stub.objects().get("lake/large")).isEqualTo(LARGE);
    }

    @Test
    void aRetryThatMeetsItsOwnSuccessSaysExists() throws Exception {
        stub.next(Op.PUT, stub.appliedThenLost());
        assertThat(create(store(options), "small", SMALL)).isEqualTo(Outcome.EXISTS);
        stub.next(Op.COMPLETE, stub.appliedThenLost());
        assertThat(create(store(options), "large", LARGE)).isEqualTo(Outcome.EXISTS);
        assertThat(store(options).readBack("large")).contains(new StoredObject(LARGE.length, crc(LARGE)));
    }

    @Test
    void anAnswerThatNeverComesIsUnknown() throws Exception {
        Fault lost = stub.appliedThenLost();
        stub.always(Op.PUT, lost);
        assertThatThrownBy(() -> create(store(options), "small", SMALL))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("s3://devices/lake/small");
        stub.always(Op.COMPLETE, error(500, "InternalError", "We encountered an internal error."));
        assertThatThrownBy(() -> create(store(options), "large", LARGE)).isInstanceOf(UnknownOutcomeException.class);
        assertThat(stub.uploads()).as("nothing is cleaned up").isOne();
    }

    @Test
    void conflictsAndErrorsInsideASuccessAreRepeated() throws Exception {
        Fault conflict = error(
                409,
                "ConditionalRequestConflict",
                "The conditional request cannot succeed due to a conflicting operation.");
        stub.next(Op.PUT, conflict, conflict);
        assertThat(create(store(options), "small", SMALL)).isEqualTo(Outcome.CREATED);
        Fault inside = call -> {
            call.send(
                    200,
                    Map.of(),
                    "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>try again</Message></Error>"
                            .getBytes(UTF_8));
            return true;
        };
        stub.next(Op.COMPLETE, inside, conflict, inside);
        assertThat(create(store(options), "large", LARGE)).isEqualTo(Outcome.CREATED);
        assertThat(stub.count(Op.COMPLETE)).isEqualTo(4);
    }

    @Test
    void anAbortedUploadCannotBeCompleted() throws Exception {
        try (ObjectWriter writer = store(options).create("k")) {
            writer.write(LARGE, 0, LARGE.length);
            store(options).abortUploads("k");
            assertThatThrownBy(() -> writer.complete(crc(LARGE))).isInstanceOf(StoreException.class);
        }
        assertThat(stub.objects()).isEmpty();
    }

    @Test
    void abortingSparesKeysThatOnlyBeginAlike() throws Exception {
        stub.startUpload("lake/k");
        stub.startUpload("lake/k");
        stub.startUpload("lake/k2");
        stub.startUpload("lake/k/below");
        store(options).abortUploads("k");
        assertThat(stub.uploads()).isEqualTo(2);
    }

    @Test
    void abortingByNameAsksOncePerThousandUploadsWhateverTheNumberOfKeys() throws Exception {
        for (int i = 0; i < 50; i++) {
            stub.startUpload("lake/p" + i + "/apply-1-" + i);
        }
        stub.startUpload("lake/p/apply-2-0");
        stub.startUpload("other/apply-1-0");
        int before = stub.count(Op.LIST_UPLOADS);
        store(options).abortUploadsNamed("apply-1-");
        assertThat(stub.count(Op.LIST_UPLOADS) - before).isEqualTo(1);
        assertThat(stub.uploads()).isEqualTo(2);
    }

    @Test
    void anObjectOfAnotherIsNotReplacedAndTheUploadIsDropped() throws Exception {
        try (ObjectWriter writer = store(options).create("k")) {
            writer.write(LARGE, 0, LARGE.length);
            stub.objects().put("lake/k", SMALL);
            assertThat(writer.complete(crc(LARGE))).isEqualTo(Outcome.EXISTS);
        }
        assertThat(stub.uploads()).isZero();
        assertThat(stub.objects().get("lake/k")).isEqualTo(SMALL);
    }

    @Test
    void aDeniedWriteNamesThePermission() throws Exception {
        stub.always(Op.PUT, error(403, "AccessDenied", "Access Denied"));
        assertThatThrownBy(() -> create(store(options), "k", SMALL))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("s3:PutObject on arn:aws:s3:::devices/lake/k");
    }

    @Test
    void expiredCredentialsAreLookedUpAnewInTheMiddleOfAnUpload() throws Exception {
        stub.next(Op.PART, error(400, "ExpiredToken", "The provided token has expired."));
        assertThat(create(store(options), "k", LARGE)).isEqualTo(Outcome.CREATED);
        assertThat(lookups).hasValue(2);
        assertThat(stub.objects().get("lake/k")).isEqualTo(LARGE);
    }

    @Test
    void aRangeThatBreaksOffGoesOn() throws Exception {
        stub.objects().put("lake/k", LARGE);
        stub.next(Op.GET, stub.breaksOffAfter(10));
        try (InputStream in = store(options).read("k", 0, LARGE.length)) {
            assertThat(in.readAllBytes()).isEqualTo(LARGE);
        }
        assertThat(stub.calls(Op.GET))
                .last()
                .satisfies(c -> assertThat(c.headers())
                        .containsEntry("range", "bytes=10-" + (LARGE.length - 1))
                        .containsEntry("if-match", StubS3.etag(LARGE)));
    }
}
