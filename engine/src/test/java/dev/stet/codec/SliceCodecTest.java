package dev.stet.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SliceCodecTest {
    @ParameterizedTest
    @EnumSource
    void anySliceComesBackAsItWas(SliceCodec codec) throws IOException {
        try (var encoder = SliceEncoder.of(codec);
                var decoder = new SliceDecoder(codec)) {
            for (int size : new int[] {0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000}) {
                for (byte[] slice : new byte[][] {Arrays.copyOf(Samples.json(30_000), size), new byte[size]}) {
                    byte[] packed = encode(encoder, slice);
                    assertThat(decode(decoder, packed)).isEqualTo(slice);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBytesOfASliceDoNotDependOnItsCutIntoWritesNorOnWhatCameBefore(SliceCodec codec) throws IOException {
        byte[] slice = Samples.json(10_000);
        var random = new Random(3);
        try (var encoder = SliceEncoder.of(codec);
                var fresh = SliceEncoder.of(codec)) {
            byte[] whole = encode(fresh, slice);
            for (int i = 0; i < 5; i++) {
                var out = new ByteArrayOutputStream();
                encoder.begin(sink(out));
                for (int at = 0, to; at < slice.length; at = to) {
                    to = Math.min(slice.length, at + random.nextInt(i == 0 ? 300_000 : 3000));
                    encoder.write(slice, at, to);
                }
                assertThat(encoder.end()).isEqualTo(out.size());
                assertThat(out.toByteArray()).isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSliceThatWasGivenUpLeavesNoTrace(SliceCodec codec) throws IOException {
        byte[] slice = Samples.json(100);
        try (var encoder = SliceEncoder.of(codec)) {
            byte[] expected = encode(encoder, slice);
            encoder.begin((bytes, from, to) -> {
                if (to - from > 10) {
                    throw new IOException("full");
                }
            });
            byte[] noise = Samples.noise(200_000);
            try {
                encoder.write(noise, 0, noise.length);
            } catch (IOException e) {
                assertThat(e).hasMessage("full");
            }
            assertThat(encode(encoder, slice)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void framesRunTogetherAreOneSoundObject(SliceCodec codec) throws IOException {
        try (var encoder = SliceEncoder.of(codec)) {
            byte[] joined = Streams.join(
                    encode(encoder, Samples.json(10)), encode(encoder, new byte[0]), encode(encoder, Samples.json(20)));
            assertThat(Streams.decode(joined).content()).isEqualTo(Streams.join(Samples.json(10), Samples.json(20)));
        }
    }

    @Test
    void aGzipSliceIsReadByOthersAndNamesNeitherTimeNorSystem() throws IOException {
        try (var encoder = SliceEncoder.of(SliceCodec.GZIP)) {
            byte[] packed = encode(encoder, Samples.json(1000));
            assertThat(Arrays.copyOf(packed, 10)).containsExactly(0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF);
            try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
                assertThat(in.readAllBytes()).isEqualTo(Samples.json(1000));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodingReadsNoByteBeyondTheSlice(SliceCodec codec) throws IOException {
        try (var encoder = SliceEncoder.of(codec);
                var decoder = new SliceDecoder(codec)) {
            byte[] packed = encode(encoder, Samples.json(100));
            var in = new ByteArrayInputStream(Streams.join(packed, packed));
            decoder.decode(in, packed.length, (bytes, from, to) -> {});
            assertThat(in.available()).isEqualTo(packed.length);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aSliceThatIsNotExactlyOneSoundFrameIsDamaged(SliceCodec codec) throws IOException {
        try (var encoder = SliceEncoder.of(codec);
                var decoder = new SliceDecoder(codec)) {
            byte[] packed = encode(encoder, Samples.json(100));
            assertDamaged(decoder, Streams.join(packed, packed));
            assertDamaged(decoder, Streams.join(packed, new byte[1]));
            for (int cut = 0; cut < packed.length; cut += 5) {
                assertDamaged(decoder, Arrays.copyOf(packed, cut));
            }
            byte[] flipped = packed.clone();
            flipped[packed.length / 2] ^= 4;
            assertDamaged(decoder, flipped);
            assertThat(decode(decoder, packed)).isEqualTo(Samples.json(100));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatEndsBeforeTheSliceDoesIsAFailureToReadAndNotDamage(SliceCodec codec) throws IOException {
        try (var encoder = SliceEncoder.of(codec);
                var decoder = new SliceDecoder(codec)) {
            byte[] packed = encode(encoder, Samples.json(100));
            for (int cut : new int[] {0, 5, packed.length - 1}) {
                assertThatExceptionOfType(EOFException.class)
                        .isThrownBy(() -> decoder.decode(
                                new ByteArrayInputStream(packed, 0, cut), packed.length, (bytes, from, to) -> {}));
            }
        }
    }

    @Test
    void wireNamesLeadBackToTheirCodecs() {
        for (var codec : SliceCodec.values()) {
            assertThat(SliceCodec.ofWireName(codec.wireName())).contains(codec);
        }
        assertThat(SliceCodec.ofWireName("GZIP")).isEmpty();
    }

    private static void assertDamaged(SliceDecoder decoder, byte[] packed) {
        assertThatExceptionOfType(DamagedDataException.class).isThrownBy(() -> decode(decoder, packed));
    }

    private static byte[] encode(SliceEncoder encoder, byte[] slice) throws IOException {
        var out = new ByteArrayOutputStream();
        encoder.begin(sink(out));
        encoder.write(slice, 0, slice.length);
        assertThat(encoder.end()).isEqualTo(out.size());
        return out.toByteArray();
    }

    private static byte[] decode(SliceDecoder decoder, byte[] packed) throws IOException {
        var out = new ByteArrayOutputStream();
        long count = decoder.decode(new ByteArrayInputStream(packed), packed.length, sink(out));
        assertThat(count).isEqualTo(out.size());
        return out.toByteArray();
    }

    private static ByteSink sink(ByteArrayOutputStream out) {
        return (bytes, from, to) -> out.write(bytes, from, to - from);
    }
}
