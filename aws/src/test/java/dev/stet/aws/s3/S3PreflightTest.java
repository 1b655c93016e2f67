package dev.stet.aws.s3;

import static dev.stet.aws.s3.StubS3.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.aws.s3.StubS3.Fault;
import dev.stet.aws.s3.StubS3.Op;
import dev.stet.config.Location;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class S3PreflightTest extends StubTest {
    private static final Fault DENIED = error(403, "AccessDenied", "Access Denied");

    private final S3Preflight preflight = new S3Preflight(clients);

    @Test
    void aSourceThatCanBeReadGivesNoWord() throws Exception {
        put("raw/a", "raw/b", "raw/c");
        assertThat(preflight.source(location("raw/", false))).isEmpty();
        assertThat(preflight.source(location("raw", false))).isEmpty();
        assertThat(stub.count(Op.GET)).isZero();
    }

    @Test
    void aSourceThatCannotBeListedOrReadNamesThePermission() throws Exception {
        put("raw/a", "raw/b", "raw/c");
        stub.always(Op.HEAD, DENIED);
        assertThat(preflight.source(location("raw/", false))).singleElement().satisfies(f -> {
            assertThat(f.stops()).isTrue();
            assertThat(f.text()).contains("s3:GetObject on arn:aws:s3:::devices/raw/*", "--requester-pays");
        });
        stub.always(Op.LIST, DENIED);
        assertThat(preflight.source(location("raw/", false)))
                .singleElement()
                .satisfies(f ->
                        assertThat(f.text()).contains("s3:ListBucket on arn:aws:s3:::devices", "--requester-pays"));
    }

    @Test
    void oneDeniedObjectIsTheRunsBusiness() throws Exception {
        put("raw/a", "raw/b");
        stub.next(Op.HEAD, DENIED);
        assertThat(preflight.source(location("raw/", false))).isEmpty();
    }

    @Test
    void aFolderBesideIsMentioned() throws Exception {
        put("raw/a", "raw2/b");
        assertThat(preflight.source(location("raw", false)))
                .containsExactly(
                        Finding.note(
                                "s3://devices/raw also takes s3://devices/raw2/; for the folder alone write s3://devices/raw/"));
        assertThat(preflight.source(location("raw/", false))).isEmpty();
        put("raw-old/x");
        assertThat(preflight.source(location("raw", false)))
                .singleElement()
                .satisfies(f -> assertThat(f.text()).contains("also takes s3://devices/raw-old/"));
        assertThat(preflight.source(location("raw2", false))).isEmpty();
        assertThat(preflight.source(location("ra", false)))
                .as("part of a name, no folder")
                .isEmpty();
        assertThat(preflight.source(location("none", false)))
                .containsExactly(Finding.note("s3://devices/none: no object there"));
    }

    @Test
    void aPlaceToWriteIsTriedWithoutATrace() throws Exception {
        assertThat(preflight.staging(location("_stet/p1", false), StoreOptions.DEFAULT))
                .isEmpty();
        assertThat(stub.objects()).isEmpty();
        assertThat(stub.uploads()).isZero();
        assertThat(stub.count(Op.PUT) + stub.count(Op.DELETE)).isZero();
    }

    @Test
    void aProbeWhoseBeginWasAnsweredTooLateIsAbortedToo() throws Exception {
        stub.next(Op.CREATE, stub.appliedThenLost());
        assertThat(new S3Preflight(clients).writable(location("lake", false), StoreOptions.DEFAULT))
                .isEmpty();
        assertThat(stub.count(Op.CREATE)).isEqualTo(2);
        assertThat(stub.uploads()).isZero();
    }

    @Test
    void eachMissingPermissionIsNamed() throws Exception {
        denied(Op.CREATE, "s3:PutObject on arn:aws:s3:::devices/_stet/p1/");
        denied(Op.ABORT, "s3:AbortMultipartUpload on arn:aws:s3:::devices/_stet/p1/");
        denied(Op.LIST_UPLOADS, "s3:ListBucketMultipartUploads on arn:aws:s3:::devices");
        denied(Op.LIST, "s3:ListBucket on arn:aws:s3:::devices");
        denied(Op.HEAD, "s3:GetObject on arn:aws:s3:::devices/_stet/p1/");
    }

    private void denied(Op op, String permission) throws Exception {
        stub.always(op, DENIED);
        assertThat(preflight.writable(location("_stet/p1", false), StoreOptions.DEFAULT))
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.stops()).isTrue();
                    assertThat(f.text()).contains(permission).doesNotContain("requester");
                });
        stub.always(op, _ -> false);
    }

    @Test
    void aRuleThatExpiresStagingStopsTheRun() throws Exception {
        rule("<Filter><Prefix>_stet/</Prefix></Filter><Expiration><Days>7</Days></Expiration>");
        assertThat(staging()).singleElement().satisfies(f -> {
            assertThat(f.stops()).isTrue();
            assertThat(f.text())
                    .contains(
                            "rule of the bucket devices ('r') expires the objects under _stet/ after 7 days",
                            "s3://devices/_stet/p1/");
        });
        rule("<Filter/><Expiration><Days>1</Days></Expiration>");
        assertThat(staging())
                .singleElement()
                .satisfies(f -> assertThat(f.text()).contains("expires all objects after 1 day"));
        rule("<Prefix>_stet/p1/bundles</Prefix><Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration>");
        assertThat(staging()).hasSize(1);
        rule(
                "<Filter><Prefix></Prefix></Filter><Transition><Days>30</Days><StorageClass>GLACIER</StorageClass></Transition>");
        assertThat(staging())
                .singleElement()
                .satisfies(f -> assertThat(f.text()).contains("archives all objects after 30 days"));
    }

    @Test
    void otherRulesAreLeftInPeace() throws Exception {
        rule("<Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>7</Days></Expiration>");
        assertThat(staging()).isEmpty();
        rule("<Filter><Tag><Key>tmp</Key><Value>1</Value></Tag></Filter><Expiration><Days>7</Days></Expiration>");
        assertThat(staging()).isEmpty();
        rule(
                "<Filter/><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>");
        assertThat(staging()).isEmpty();
        rule("<Filter/><NoncurrentVersionExpiration><NoncurrentDays>7</NoncurrentDays></NoncurrentVersionExpiration>");
        assertThat(staging()).isEmpty();
        stub.lifecycle(
                "<Rule><ID>r</ID><Status>Disabled</Status><Filter/><Expiration><Days>7</Days></Expiration></Rule>");
        assertThat(staging()).isEmpty();
    }

    @Test
    void rulesThatCannotBeReadAreANote() throws Exception {
        stub.always(Op.LIFECYCLE, DENIED);
        assertThat(staging()).singleElement().satisfies(f -> {
            assertThat(f.stops()).isFalse();
            assertThat(f.text()).contains("s3:GetLifecycleConfiguration on arn:aws:s3:::devices");
        });
        stub.always(Op.LIFECYCLE, error(501, "NotImplemented", "x"));
        assertThat(staging()).isEmpty();
    }

    @Test
    void aSinkInsideTheSourceIsRefused() throws Exception {
        assertThat(inside("", "landing")).isTrue();
        assertThat(inside("raw/", "raw/landing")).isTrue();
        assertThat(inside("raw", "raw")).isTrue();
        assertThat(inside("raw", "raw-landing")).isTrue();
        assertThat(inside("raw/", "raw-landing")).isFalse();
        assertThat(inside("raw", "landing")).isFalse();
        Location.S3 other = new Location.S3("other", "raw/x", Optional.empty(), Optional.empty(), false);
        assertThat(S3Preflight.inside(location("raw/", false), "sink", other)).isEmpty();
        assertThat(S3Preflight.inside(location("raw", false), "sink", location("raw-landing", false))
                        .orElseThrow()
                        .text())
                .isEqualTo(
                        "the sink s3://devices/raw-landing lies inside the source s3://devices/raw: what is written would be copied again; for the folder alone write s3://devices/raw/");
    }

    private boolean inside(String source, String sink) throws Exception {
        return S3Preflight.inside(location(source, false), "sink", location(sink, false))
                .isPresent();
    }

    private void put(String... keys) {
        for (String key : keys) {
            stub.objects().put(key, new byte[1]);
        }
    }

    private void rule(String body) {
        stub.lifecycle("<Rule><ID>r</ID><Status>Enabled</Status>" + body + "</Rule>");
    }

    private List<Finding> staging() throws Exception {
        return preflight.staging(location("_stet/p1", false), StoreOptions.DEFAULT);
    }
}
