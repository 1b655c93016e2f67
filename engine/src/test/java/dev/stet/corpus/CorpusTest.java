package dev.stet.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class CorpusTest {
    private static Map<String, byte[]> objects(CorpusOptions options, Outcomes outcomes) throws IOException {
        Map<String, byte[]> objects = new LinkedHashMap<>();
        Corpus.write(options, objects::put, outcomes);
        return objects;
    }

    @Test
    void sameSeedSameBytes() throws IOException {
        Tally first = new Tally();
        Tally second = new Tally();
        Map<String, byte[]> one = objects(CorpusOptions.mixed(7, 30), first);
        Map<String, byte[]> two = objects(CorpusOptions.mixed(7, 30), second);

        assertThat(two).hasSize(30).containsExactlyEntriesOf(one);
        assertThat(first.differences(second)).isEmpty();
        assertThat(objects(CorpusOptions.mixed(8, 30), new Tally()))
                .doesNotContainKeys(one.keySet().toArray(String[]::new));
    }

    @Test
    void aRevisionHasTheSameKeysAndOtherContent() throws IOException {
        Map<String, byte[]> one = objects(Options.of(CorpusOptions.mixed(7, 30)).revision(0), new Tally());
        Map<String, byte[]> two = objects(Options.of(CorpusOptions.mixed(7, 30)).revision(1), new Tally());

        assertThat(two.keySet()).containsExactlyElementsOf(one.keySet());
        assertThat(one).anySatisfy((key, bytes) -> assertThat(two.get(key)).isNotEqualTo(bytes));
    }

    /** Every record goes where an independent reading of the rule book sends it, and is set aside for the reason that one finds. */
    @Test
    void anIndependentRouterAgrees() throws IOException {
        for (Optional<String> name : List.of(Optional.of("tenant_id"), Optional.<String>empty())) {
            CorpusOptions options = Options.of(CorpusOptions.mixed(11, 250)).badRecords(0.05, name);
            SlowRouter router = new SlowRouter(options);
            Set<String> reasons = new TreeSet<>();
            objects(options, new Outcomes() {
                @Override
                public void lands(String source, long offset, byte[] record, String path) {
                    assertThat(router.route(record))
                            .as(() -> Octets.text(record))
                            .isEqualTo(new Fate.Lands(path));
                }

                @Override
                public void setAside(String source, long offset, byte[] span, String reason) {
                    reasons.add(reason);
                    if (Set.of("invalid_json", "truncated_record", "not_an_object", "nul_padding", "trailing_garbage")
                            .contains(reason)) {
                        return;
                    }
                    assertThat(router.route(span)).as(() -> Octets.text(span)).isEqualTo(new Fate.SetAside(reason));
                }

                @Override
                public void wholeObject(String source, byte[] stored, String reason) {
                    reasons.add(reason);
                }

                @Override
                public void object(String source, boolean copied) {}
            });
            assertThat(reasons).hasSize(18);
        }
    }

    /** What the corpus says are the records of an object are the texts that Jackson finds in it, in every framing. */
    @Test
    void jacksonFindsTheSameRecords() throws IOException {
        for (Framing framing : Framing.values()) {
            CorpusOptions options = Options.of(CorpusOptions.mixed(3, 5)).plainText(framing);
            List<String> claimed = new ArrayList<>();
            List<String> found = new ArrayList<>();
            Map<String, byte[]> objects = objects(options, new Outcomes() {
                @Override
                public void lands(String source, long offset, byte[] record, String path) {
                    claimed.add(source + '@' + offset + '+' + record.length);
                }

                @Override
                public void setAside(String source, long offset, byte[] span, String reason) {}

                @Override
                public void wholeObject(String source, byte[] stored, String reason) {}

                @Override
                public void object(String source, boolean copied) {}
            });
            objects.forEach((key, bytes) -> found.addAll(texts(key, bytes)));

            assertThat(found).as(framing::name).hasSizeGreaterThan(30).containsExactlyElementsOf(claimed);
        }
    }

    private static List<String> texts(String key, byte[] bytes) {
        List<String> found = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), bytes)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    long from = parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    found.add(key + '@' + from + '+' + (parser.currentLocation().getByteOffset() - from));
                }
            }
        }
        return found;
    }

    @Test
    void coversEachPartitionOnce() throws IOException {
        Tally tally =
                Corpus.write(Options.of(CorpusOptions.mixed(5, 1000)).cover(5, 40, 20, 1_700_000), (key, stored) -> {});

        assertThat(tally.partitionCount()).isEqualTo(4000);
    }

    /** Variations of options. */
    private record Options(CorpusOptions base) {
        static Options of(CorpusOptions base) {
            return new Options(base);
        }

        CorpusOptions revision(int revision) {
            return make(revision, Long.MAX_VALUE, base.framings(), true, 0.01, base.partitionName(), 8, 40, 14, false);
        }

        CorpusOptions badRecords(double share, Optional<String> name) {
            return make(0, Long.MAX_VALUE, base.framings(), true, share, name, 8, 40, 14, false);
        }

        CorpusOptions plainText(Framing framing) {
            return make(0, Long.MAX_VALUE, Set.of(framing), false, 0, base.partitionName(), 8, 40, 14, false);
        }

        CorpusOptions cover(int types, int tenants, int days, long bytes) {
            return make(0, bytes, Set.of(Framing.CONCAT), false, 0, base.partitionName(), types, tenants, days, true);
        }

        private CorpusOptions make(
                int revision,
                long bytes,
                Set<Framing> framings,
                boolean rough,
                double bad,
                Optional<String> name,
                int types,
                int tenants,
                int days,
                boolean cover) {
            return new CorpusOptions(
                    base.seed(),
                    revision,
                    0,
                    base.objects(),
                    bytes,
                    base.objectBytes(),
                    framings,
                    rough ? 0.5 : 0,
                    rough,
                    rough ? 0.04 : 0,
                    rough ? 0.03 : 0,
                    rough ? 0.2 : 0,
                    bad,
                    rough,
                    50_000,
                    types,
                    tenants,
                    LocalDate.of(2021, 10, 1),
                    days,
                    cover,
                    name);
        }
    }
}
