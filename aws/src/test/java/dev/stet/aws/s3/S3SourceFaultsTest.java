package dev.stet.aws.s3;

import static dev.stet.aws.s3.StubS3.error;
import static dev.stet.aws.s3.StubS3.slowDown;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stet.aws.s3.StubS3.Op;
import dev.stet.config.Location;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectChangedException;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectRead;
import dev.stet.store.StoreException;
import dev.stet.store.UnreadableObjectException;
import dev.stet.store.UnreadableObjectException.Why;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scenarios 50 to 61 of the rule book's cases, as far as a source meets them, and their like. */
class S3SourceFaultsTest extends StubTest {
    private static final byte[] BODY = random(2_000_000);

    private S3Source withObject() throws Exception {
        stub.objects().put("in/k", BODY);
        return source("in/");
    }

    @Test
    void throttlingIsWaitedOut() throws Exception {
        S3Source source = withObject();
        stub.next(Op.LIST, slowDown(), slowDown());
        stub.next(Op.GET, slowDown(), slowDown(), slowDown(), slowDown());
        assertThat(read(source, only(source))).isEqualTo(BODY);
        assertThat(stub.count(Op.GET)).isEqualTo(5);
    }

    @Test
    void aBodyThatBreaksOffGoesOnFromThere() throws Exception {
        S3Source source = withObject();
        stub.next(Op.GET, stub.breaksOffAfter(1_000_000), stub.breaksOffAfter(0), stub.breaksOffAfter(500_000));
        assertThat(read(source, only(source))).isEqualTo(BODY);
        assertThat(stub.calls(Op.GET))
                .extracting(c -> c.headers().getOrDefault("range", ""))
                .containsExactly("", "bytes=1000000-", "bytes=1000000-", "bytes=1500000-");
        assertThat(stub.calls(Op.GET))
                .allSatisfy(c -> assertThat(c.headers()).containsEntry("if-match", StubS3.etag(BODY)));
    }

    @Test
    void aBodyThatAlwaysBreaksOffIsThisObjectsFault() throws Exception {
        S3Source source = withObject();
        ObjectInfo object = only(source);
        stub.always(Op.GET, stub.breaksOffAfter(10));
        assertUnreadable(source, object, Why.UNREADABLE, "in/k");
        assertThat(stub.count(Op.GET)).isEqualTo(6);
    }

    @Test
    void aReplacementInTheMiddleIsNoticed() throws Exception {
        S3Source source = withObject();
        ObjectInfo object = only(source);
        stub.next(Op.GET, stub.breaksOffAfter(1_000));
        try (ObjectRead read = source.open(object)) {
            stub.objects().put("in/k", random(1_500_000));
            assertThatThrownBy(() -> read.body().readAllBytes()).isInstanceOf(ObjectChangedException.class);
        }
    }

    @Test
    void aServerThatIgnoresIfMatchIsNotBelieved() throws Exception {
        S3Source source = withObject();
        ObjectInfo object = only(source);
        stub.next(Op.GET, call -> {
            call.send(200, Map.of("ETag", "\"other\""), BODY);
            return true;
        });
        assertThatThrownBy(() -> read(source, object)).isInstanceOf(ObjectChangedException.class);
    }

    @Test
    void whatCannotBeReadIsToldApart() throws Exception {
        S3Source source = withObject();
        ObjectInfo object = only(source);
        stub.next(
                Op.GET,
                error(403, "InvalidObjectState", "The operation is not valid for the object's storage class"),
                error(
                        403,
                        "AccessDenied",
                        "User: x is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:k"),
                error(400, "KMS.DisabledException", "The key is disabled"),
                error(404, "NoSuchKey", "The specified key does not exist."));
        assertUnreadable(source, object, Why.ARCHIVED, "storage class");
        assertUnreadable(source, object, Why.ACCESS_DENIED, "kms:Decrypt on resource: arn:aws:kms:k");
        assertUnreadable(source, object, Why.ACCESS_DENIED, "The key is disabled");
        assertUnreadable(source, object, Why.DELETED, "s3://devices/in/k");
        stub.next(Op.GET, error(403, "InvalidAccessKeyId", "The key id does not exist"));
        assertThatThrownBy(() -> source.open(object))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not accepted");
        stub.next(Op.GET, error(404, "NoSuchBucket", "x"));
        assertThatThrownBy(() -> source.open(object))
                .isInstanceOf(StoreException.class)
                .hasMessage("s3://devices: there is no such bucket");
    }

    @Test
    void expiredCredentialsAreLookedUpAnew() throws Exception {
        S3Source source = withObject();
        stub.always(Op.GET, call -> {
            boolean old = call.headers().get("authorization").contains("KEY1/")
                    || call.headers().get("authorization").contains("KEY2/");
            if (old) {
                call.error(400, "ExpiredToken", "The provided token has expired.");
            }
            return old;
        });
        assertThat(read(source, only(source))).isEqualTo(BODY);
        assertThat(lookups).hasValue(3);
        assertThat(stub.count(Op.GET)).isEqualTo(3);
    }

    @Test
    void credentialsThatStayExpiredStopTheRun() throws Exception {
        S3Source source = withObject();
        stub.always(Op.LIST, error(400, "ExpiredToken", "The provided token has expired."));
        assertThatThrownBy(() -> keys(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("expired");
        assertThat(stub.count(Op.LIST)).isEqualTo(4);
    }

    @Test
    void aHeadTellsOfExpiryWithoutWords() throws Exception {
        S3Source source = withObject();
        stub.next(Op.HEAD, error(400, "", ""));
        assertThat(source.head("k"))
                .hasValueSatisfying(o -> assertThat(o.size()).isEqualTo(BODY.length));
        assertThat(lookups).hasValue(2);
    }

    @Test
    void aClockThatIsWrongIsCorrected() throws Exception {
        try (SkewedServer server = new SkewedServer(Duration.ofMinutes(20), stub.endpoint())) {
            Location.S3 location = new Location.S3(
                    BUCKET,
                    "in/",
                    Optional.of("us-east-1"),
                    Optional.of(server.endpoint().toString()),
                    false);
            assertThat(keys(clients.source(location))).isEmpty();
            assertThat(server.refused()).isOne();
        }
    }

    @Test
    void aClockThatCannotBeCorrectedIsNamed() throws Exception {
        S3Source source = withObject();
        stub.always(Op.LIST, error(403, "RequestTimeTooSkewed", "The difference is too large."));
        assertThatThrownBy(() -> keys(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the clock of this machine is wrong");
    }

    @Test
    void requesterPaysOnEveryCallOrNamedWhereItIsMissing() throws Exception {
        withObject();
        StubS3.Fault wantsPayer = call -> {
            boolean pays = "requester".equals(call.headers().get("x-amz-request-payer"));
            if (!pays) {
                call.error(403, "AccessDenied", "Access Denied");
            }
            return !pays;
        };
        stub.always(Op.LIST, wantsPayer);
        stub.always(Op.GET, wantsPayer);
        stub.always(Op.HEAD, wantsPayer);
        assertThatThrownBy(() -> keys(source("in/")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("s3:ListBucket on arn:aws:s3:::devices")
                .hasMessageContaining("--requester-pays");
        assertThatThrownBy(() -> source("in/").head("k"))
                .isInstanceOf(UnreadableObjectException.class)
                .hasMessageContaining("--requester-pays");
        S3Source paying = clients.source(location("in/", true));
        assertThat(read(paying, only(paying))).isEqualTo(BODY);
        assertThat(paying.head("k")).isPresent();
    }

    @Test
    void listingsAreDecodedOnlyWhereTheAnswerSaysSo() throws Exception {
        stub.objects().put("in/a+b %41.json", BODY);
        assertThat(keys(source("in/"))).containsExactly("a+b %41.json");
        stub.withoutEncoding();
        assertThat(keys(source("in/"))).containsExactly("a+b %41.json");
        assertThat(stub.calls(Op.LIST)).allSatisfy(c -> assertThat(c.query()).containsEntry("encoding-type", "url"));
    }

    @Test
    void aListingOutOfOrderIsRefused() throws Exception {
        stub.next(Op.LIST, call -> {
            call.send(
                    200,
                    Map.of(),
                    ("<ListBucketResult><IsTruncated>false</IsTruncated>"
                                    + "<Contents><Key>in/b</Key><Size>1</Size><ETag>x</ETag></Contents>"
                                    + "<Contents><Key>in/a</Key><Size>1</Size><ETag>x</ETag></Contents></ListBucketResult>")
                            .getBytes(UTF_8));
            return true;
        });
        assertThatThrownBy(() -> keys(source("in/")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("UTF-8 order");
    }

    @Test
    void aListingTakesOneRequestPerThousandObjects() throws Exception {
        IntStream.range(0, 10_000).forEach(i -> stub.objects().put("in/%05d".formatted(i), new byte[0]));
        assertThat(keys(source("in/"))).hasSize(10_000);
        // One more looks for an object named like the folder.
        assertThat(stub.count(Op.LIST)).isEqualTo(11);
        assertThat(list(source("in/"), new KeyRange("01000", Optional.of("01500"))))
                .hasSize(500);
        assertThat(stub.count(Op.LIST)).isEqualTo(12);
        assertThat(stub.count(Op.GET) + stub.count(Op.HEAD)).isZero();
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws Exception {
        S3Source source = withObject();
        stub.close();
        assertThatThrownBy(() -> keys(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no answer from " + stub.endpoint())
                .hasMessageNotContaining("Exception");
    }

    private static void assertUnreadable(S3Source source, ObjectInfo object, Why why, String text) {
        assertThatThrownBy(() -> read(source, object))
                .isInstanceOfSatisfying(
                        UnreadableObjectException.class,
                        e -> assertThat(e.why()).isEqualTo(why))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(text);
    }
}
