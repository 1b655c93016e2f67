package dev.stet.codec;

import static dev.stet.codec.Samples.bzip2;
import static dev.stet.codec.Samples.gzip;
import static dev.stet.codec.Samples.json;
import static dev.stet.codec.Samples.noise;
import static dev.stet.codec.Samples.skippable;
import static dev.stet.codec.Samples.zstd;
import static dev.stet.codec.Samples.zstdOfKnownSize;
import static dev.stet.codec.Streams.decode;
import static dev.stet.codec.Streams.join;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stet.record.Reason;
import dev.stet.record.WholeObjectException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourceDecoderTest {
    private static final byte[] NOTHING = {};

    @Nested
    class Plain {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "7b",
                    "1f",
                    "42",
                    "28",
                    "00",
                    "50",
                    "0000",
                    "00000000000000000000000000000000000000000000000000000000",
                    "fffe7b002200",
                    "feff007b0022",
                    "7b00220065007600",
                    "007b0022006500760065006e0074005f",
                    "007b0022006500764e00ac00",
                    "0000007b000000220000006500000076",
                    "0000feff0000007b0000002200000065",
                    "000000000000007b2265223a317d0a0a",
                    "007b2265223a317d0a007b2265223a317d",
                    "0000000a7b2265223a317d0a7b7d0a0a",
                    "efbbbf7b7d",
                })
        void bytesThatAreNoCompressionComeAsTheyAre(String hex) throws IOException {
            byte[] raw = HexFormat.of().parseHex(hex);
            var decoded = decode(raw);
            assertThat(decoded.content()).isEqualTo(raw);
            assertThat(decoded.trailing()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"BZh9 is no bzip2\n{}", "BZ", "BZh", "PK{}", "x{}", "(not zstd", "BZh0123456789"})
        void textsThatOnlyBeginLikeOneAreTexts(String text) throws IOException {
            assertThat(decode(text.getBytes(US_ASCII)).content()).asString().isEqualTo(text);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 15, 16, 65_535, 65_536, 65_537, 200_000})
        void contentIsWholeWhateverItsSize(int size) throws IOException {
            byte[] raw = noise(size);
            assertThat(decode(raw).content()).isEqualTo(raw);
            assertThat(decode(Streams.dribble(raw, new Random(size))).content()).isEqualTo(raw);
        }
    }

    static Stream<byte[]> onePart() {
        byte[] content = json(3000);
        return Stream.of(
                gzip(content),
                zstd(content),
                zstdOfKnownSize(content),
                bzip2(content),
                gzip(gzip(content)),
                gzip(gzip(gzip(content))),
                zstd(bzip2(gzip(content))),
                bzip2(zstd(content)),
                join(skippable(0, 0), zstd(content), skippable(15, 200_000), zstd(NOTHING)),
                join(gzip(NOTHING), gzip(content), gzip(NOTHING)),
                join(bzip2(NOTHING), bzip2(content), bzip2(NOTHING)),
                join(gzip(Arrays.copyOf(content, 1000)), gzip(Arrays.copyOfRange(content, 1000, content.length))),
                join(bzip2(Arrays.copyOf(content, 999)), bzip2(Arrays.copyOfRange(content, 999, content.length))),
                join(zstd(Arrays.copyOf(content, 77)), zstd(Arrays.copyOfRange(content, 77, content.length))));
    }

    @ParameterizedTest
    @MethodSource("onePart")
    void anyCompressionIsUnwrappedHoweverTheBytesArrive(byte[] raw) throws IOException {
        var decoded = decode(raw);
        assertThat(decoded.content()).isEqualTo(json(3000));
        assertThat(decoded.trailing()).isEmpty();
        assertThat(decode(Streams.dribble(raw, new Random(raw.length))).content())
                .isEqualTo(json(3000));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 65_536, 1 << 20})
    void contentIsTheSameInReadsOfAnySize(int size) throws IOException {
        byte[] content = noise(150_000);
        for (byte[] raw : new byte[][] {gzip(content), zstd(content), bzip2(content), gzip(gzip(content)), content}) {
            try (var decoded = SourceDecoder.open(new ByteArrayInputStream(raw))) {
                assertThat(readInPieces(decoded.content(), size)).isEqualTo(content);
                assertThat(decoded.trailing().read()).isEqualTo(-1);
            }
        }
    }

    private static byte[] readInPieces(InputStream in, int size) throws IOException {
        var all = new java.io.ByteArrayOutputStream();
        byte[] piece = new byte[size + 2];
        for (int count = in.read(piece, 1, size); count >= 0; count = in.read(piece, 1, size)) {
            assertThat(count).isPositive();
            all.write(piece, 1, count);
        }
        return all.toByteArray();
    }

    @Test
    void contentMayBeReadByteByByte() throws IOException {
        try (var decoded = SourceDecoder.open(new ByteArrayInputStream(join(gzip(json(5)), new byte[] {-1, 2})))) {
            for (byte expected : json(5)) {
                assertThat(decoded.content().read()).isEqualTo(expected & 0xFF);
            }
            assertThat(decoded.content().read()).isEqualTo(-1);
            var trailing = decoded.trailing();
            assertThat(new int[] {trailing.read(), trailing.read(), trailing.read(), trailing.read()})
                    .containsExactly(255, 2, -1, -1);
        }
    }

    @Nested
    class Header {
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2, 4, 8, 16, 6, 10, 18, 31})
        void ofGzipMayHaveAnyOfItsFields(int flags) throws IOException {
            byte[] member = Samples.gzipWithHeader(json(5), flags, 65_535);
            assertThat(decode(member).content()).isEqualTo(json(5));
            assertThat(decode(join(member, member)).content()).isEqualTo(join(json(5), json(5)));
            assertThat(decode(Streams.dribble(member, new Random(flags))).content())
                    .isEqualTo(json(5));
        }

        @Test
        void ofGzipMayHaveAnEmptyExtraField() throws IOException {
            assertThat(decode(Samples.gzipWithHeader(json(5), 4, 0)).content()).isEqualTo(json(5));
        }

        @Test
        void ofGzipWithAWrongChecksumUnknownFlagOrOtherMethodIsCorrupt() {
            byte[] checksum = Samples.gzipWithHeader(json(5), 2, 0);
            checksum[10] ^= 1;
            assertCorrupt(checksum);
            assertCorrupt(Samples.gzipWithHeader(json(5), 32, 0));
            byte[] method = gzip(json(5));
            method[2] = 7;
            assertCorrupt(method);
        }
    }

    @Nested
    class Trailing {
        @ParameterizedTest
        @ValueSource(strings = {"{\"a\":1}\n", "x", "\0\0x", "\u001fx", "PK\u0003\u0004"})
        void bytesAfterTheLastGzipMemberAreGivenApart(String rest) throws IOException {
            var decoded = decode(join(gzip(json(2)), gzip(json(3)), rest.getBytes(US_ASCII)));
            assertThat(decoded.content()).isEqualTo(join(json(2), json(3)));
            assertThat(decoded.trailing()).asString().isEqualTo(rest);
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"a\":1}\n", "x", "\0\0x", "\0", "(x", "QM", "BZx"})
        void bytesAfterTheLastZstdFrameOrBzip2StreamAreGivenApart(String rest) throws IOException {
            for (byte[] packed : new byte[][] {zstd(json(2)), bzip2(json(2))}) {
                var decoded = decode(join(packed, rest.getBytes(US_ASCII)));
                assertThat(decoded.content()).isEqualTo(json(2));
                assertThat(decoded.trailing()).asString().isEqualTo(rest);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 511, 65_536, 1_000_000})
        void zerosAfterTheLastGzipMemberArePadding(int zeros) throws IOException {
            var decoded = decode(join(gzip(json(2)), new byte[zeros]));
            assertThat(decoded.content()).isEqualTo(json(2));
            assertThat(decoded.trailing()).isEmpty();
        }

        @Test
        void zerosBetweenGzipMembersArePaddingToo() throws IOException {
            var decoded = decode(join(gzip(json(2)), new byte[100_000], gzip(json(3))));
            assertThat(decoded.content()).isEqualTo(join(json(2), json(3)));
            assertThat(decoded.trailing()).isEmpty();
        }

        @Test
        void zerosBeforeOtherBytesAreKeptWithThem() throws IOException {
            byte[] rest = join(new byte[100_000], "{}".getBytes(US_ASCII), new byte[10]);
            assertThat(decode(join(gzip(json(2)), rest)).trailing()).isEqualTo(rest);
        }

        @Test
        void bytesOfInnerAndOuterLayersComeInnerFirst() throws IOException {
            byte[] inner = join(gzip(json(2)), "inner".getBytes(US_ASCII));
            var decoded = decode(join(zstd(inner), "outer".getBytes(US_ASCII)));
            assertThat(decoded.content()).isEqualTo(json(2));
            assertThat(decoded.trailing()).asString().isEqualTo("innerouter");
        }

        @Test
        void cannotBeReadBeforeTheContent() throws IOException {
            try (var decoded = SourceDecoder.open(new ByteArrayInputStream(gzip(json(2))))) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> decoded.trailing().read());
            }
        }

        @Test
        void damageOfAnOuterLayerShowsAtTheLatestWhenTheyHaveBeenRead() {
            byte[] raw = gzip(join(gzip(json(2)), noise(200_000)));
            raw[raw.length - 6] ^= 1;
            assertCorrupt(raw);
        }
    }

    @Nested
    class Damage {
        @Test
        void halfAMemberIsCorruptWhereverItIsCut() {
            for (byte[] part : new byte[][] {gzip(json(5)), zstd(json(5)), bzip2(json(5)), skippable(1, 5)}) {
                boolean skippable = (part[0] & 0xF0) == 0x50;
                for (int cut = skippable ? 4 : 10; cut < part.length; cut++) {
                    assertCorrupt(Arrays.copyOf(part, cut));
                }
                byte[] whole = skippable ? zstd(json(1)) : part;
                for (int cut = 1; cut < part.length; cut++) {
                    assertCorrupt(join(whole, Arrays.copyOf(part, cut)));
                }
            }
        }

        @Test
        void aGzipHeaderThatIsCutIsCorrupt() {
            for (int cut = 2; cut < 10; cut++) {
                assertCorrupt(Arrays.copyOf(gzip(json(5)), cut));
            }
            byte[] full = Samples.gzipWithHeader(json(5), 31, 3);
            for (int cut : new int[] {10, 11, 12, 13, 14, 15, 16, 20, 30, 1000, 100_020}) {
                assertCorrupt(Arrays.copyOf(full, cut));
            }
        }

        @Test
        void aFlippedBitIsNeverTakenForContent() throws IOException {
            byte[] content = json(10);
            for (byte[] raw : new byte[][] {gzip(content), zstd(content), bzip2(content), gzip(gzip(content))}) {
                for (int bit = 0; bit < 8 * raw.length; bit++) {
                    byte[] flipped = raw.clone();
                    flipped[bit / 8] ^= (byte) (1 << bit % 8);
                    assertSoundOrRefused(flipped, content, raw);
                }
            }
        }

        @Test
        void randomBytesBehindAMagicNumberNeverHangOrBreakTheDecoder() throws IOException {
            var random = new Random(5);
            for (String magic : new String[] {"1f8b0800", "28b52ffd", "425a6839314159265359", "502a4d1800000000"}) {
                for (int i = 0; i < 300; i++) {
                    byte[] noise = new byte[random.nextInt(300)];
                    random.nextBytes(noise);
                    assertSoundOrRefused(join(HexFormat.of().parseHex(magic), noise), noise, noise);
                }
            }
        }

        /** Header bytes no checksum covers may change; then content stays. A changed magic number makes plain bytes of it. */
        private static void assertSoundOrRefused(byte[] raw, byte[] content, byte[] original) throws IOException {
            try {
                var decoded = decode(raw);
                byte[] read = decoded.content();
                boolean plain = Arrays.equals(read, raw);
                assertThat(plain || Arrays.equals(read, content) || read.length == 0 || isOneLayer(read, original))
                        .as("read %d bytes of %s", read.length, HexFormat.of().formatHex(raw))
                        .isTrue();
            } catch (WholeObjectException e) {
                assertThat(e.reason()).isIn(Reason.CORRUPT_COMPRESSION, Reason.UNSUPPORTED_COMPRESSION);
            }
        }

        private static boolean isOneLayer(byte[] read, byte[] original) throws IOException {
            try (var gzip = new java.util.zip.GZIPInputStream(new ByteArrayInputStream(original))) {
                return Arrays.equals(read, gzip.readAllBytes());
            }
        }

        @Test
        void aFailureToReadPassesAsItIsWhereverItHappens() {
            byte[] content = noise(2000);
            for (byte[] raw :
                    new byte[][] {content, gzip(content), zstd(content), bzip2(content), bzip2(gzip(content))}) {
                for (int after = 0; after <= raw.length; after += after < 40 ? 1 : 37) {
                    var failure = new IOException("connection reset");
                    int at = after;
                    assertThatExceptionOfType(IOException.class)
                            .isThrownBy(() -> decode(Streams.failing(raw, at, failure)))
                            .isSameAs(failure);
                }
            }
        }

        @Test
        void anUncheckedFailureToReadPassesAsItIs() {
            var failure = new IllegalStateException("closed");
            byte[] raw = bzip2(json(5));
            assertThatIllegalStateException()
                    .isThrownBy(() -> decode(Streams.failing(raw, 50, failure)))
                    .isSameAs(failure);
        }
    }

    @Nested
    class Unsupported {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "504b030414000000",
                    "504b0506",
                    "504b0708",
                    "fd377a585a00",
                    "377abcaf271c0004",
                    "04224d186440",
                    "02214c18",
                    "ff060000734e61507059",
                    "82534e4150505900",
                    "894c5a4f000d0a1a0a",
                    "4c5a495001",
                    "526172211a0700",
                    "1f9d90",
                    "789c",
                    "27b52ffd",
                    "0000001b0000001d1b687b226576656e745f74797065223a227669657722",
                })
        void formatsAreToldByTheirFirstBytes(String hex) {
            assertUnsupported(HexFormat.of().parseHex(hex));
            assertUnsupported(gzip(HexFormat.of().parseHex(hex)));
        }

        @Test
        void isAFourthLayer() throws IOException {
            assertThat(decode(gzip(zstd(gzip(json(2))))).content()).isEqualTo(json(2));
            assertUnsupported(gzip(zstd(gzip(gzip(json(2))))));
            assertUnsupported(gzip(zstd(gzip(bzip2(json(2))))));
        }

        @Test
        void isAZstdFrameWithAWindowBeyondTheUsual() {
            // magic, descriptor without sizes, window of 1 GiB, one empty last block
            assertUnsupported(HexFormat.of().parseHex("28b52ffd00a0010000"));
        }
    }

    @Test
    void zstdAndBzip2AreNotLoadedForObjectsThatDoNotNeedThem() throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        String classPath = System.getProperty("java.class.path");
        var process = new ProcessBuilder(java, "-Xlog:class+load", "-cp", classPath, Main.class.getName())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), US_ASCII);
        assertThat(process.waitFor()).isZero();
        assertThat(output.contains("dev.stet.codec.GzipMember")).isTrue();
        assertThat(output.contains("luben") || output.contains("compressors.bzip2"))
                .isFalse();
    }

    /** Decodes a gzip object in a process of its own. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            var packed = new java.io.ByteArrayOutputStream();
            try (var gzip = new java.util.zip.GZIPOutputStream(packed)) {
                gzip.write("{\"a\":1}\n".getBytes(US_ASCII));
            }
            if (decode(packed.toByteArray()).content().length != 8) {
                throw new AssertionError();
            }
        }
    }

    @Test
    void theStoredStreamIsReadToItsEndAndStaysOpen() throws IOException {
        var closed = new AtomicBoolean();
        for (byte[] bytes :
                new byte[][] {json(1), gzip(json(1)), join(gzip(json(1)), new byte[9]), gzip(gzip(json(1)))}) {
            var raw = new ByteArrayInputStream(bytes) {
                @Override
                public void close() {
                    closed.set(true);
                }
            };
            decode(raw);
            assertThat(raw.available()).isZero();
        }
        assertThat(closed).isFalse();
    }

    private static void assertCorrupt(byte[] raw) {
        assertRefused(raw, Reason.CORRUPT_COMPRESSION);
    }

    private static void assertUnsupported(byte[] raw) {
        assertRefused(raw, Reason.UNSUPPORTED_COMPRESSION);
    }

    private static void assertRefused(byte[] raw, Reason reason) {
        assertThatExceptionOfType(WholeObjectException.class)
                .as("%d bytes", raw.length)
                .isThrownBy(() -> decode(raw))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
