package dev.stet.route;

import static dev.stet.route.Settings.level;
import static dev.stet.route.Settings.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterTest {
    private static final String TIME = "\"time\":\"2024-06-05T07:08:09Z\"";
    private static final String HIVE = "__HIVE_DEFAULT_PARTITION__";

    @Nested
    class Layout {
        @Test
        void aPathIsNamespaceThenPartitionThenTime() {
            assertThat(new Settings().route("{\"event_type\":\"e\",\"tenant_id\":\"t\"," + TIME + "}"))
                    .isEqualTo("e/p_tenant_id=t/p_year=2024/p_month=06/p_day=05");
        }

        @ParameterizedTest
        @CsvSource({
            "YEAR, year=2024, 202400000000",
            "MONTH, year=2024/month=06, 202406000000",
            "DAY, year=2024/month=06/day=05, 202406050000",
            "HOUR, year=2024/month=06/day=05/hour=07, 202406050700",
            "MINUTE, year=2024/month=06/day=05/hour=07/minute=08, 202406050708",
        })
        void timeFoldersEndAtTheUnitAndTheNumberIsZeroBelowIt(TimeUnit unit, String folders, long partition) {
            var router = new Router(new Settings()
                    .fixedNamespace("")
                    .levels()
                    .timePrefix("")
                    .unit(unit)
                    .build());
            var result = router.route(RawRecord.of("{" + TIME + "}", router.paths()));
            assertThat(Settings.text(result)).isEqualTo(folders);
            assertThat(result.timePartition()).isEqualTo(partition);
        }

        @Test
        void withoutPaddingNumbersAreAsShortAsTheyCanBe() {
            var settings = new Settings()
                    .fixedNamespace("n")
                    .levels()
                    .unit(TimeUnit.MINUTE)
                    .unpadded();
            assertThat(settings.route("{" + TIME + "}"))
                    .isEqualTo("n/p_year=2024/p_month=6/p_day=5/p_hour=7/p_minute=8");
            assertThat(settings.route("{\"time\":\"0009-10-10T00:00Z\"}"))
                    .isEqualTo("n/p_year=9/p_month=10/p_day=10/p_hour=0/p_minute=0");
        }

        @Test
        void withNothingToRouteByThePathIsEmptyAndThereIsNoTime() {
            var router = new Router(
                    new Settings().fixedNamespace("").levels().timeFields().build());
            var result = router.route(RawRecord.of("{}", router.paths()));
            assertThat(result.routed()).isTrue();
            assertThat(result.pathLength()).isZero();
            assertThat(result.timePartition()).isEqualTo(RouteResult.NO_TIME);
        }

        @Test
        void aFixedNamespaceIsEncodedAndMaskedLikeAnyOther() {
            var settings = new Settings().levels().timeFields();
            assertThat(settings.fixedNamespace("a b").route("{}")).isEqualTo("a%20b");
            assertThat(settings.fixedNamespace("_quarantine").route("{}")).isEqualTo("%5Fquarantine");
            assertThat(settings.fixedNamespace(".").route("{}")).isEqualTo("%2E");
            assertThat(settings.fixedNamespace("..").route("{}")).isEqualTo("%2E%2E");
        }

        @Test
        void severalLevelsComeInTheirOrderUnderTheMatchedPathOrTheGivenName() {
            var settings = new Settings()
                    .levels(level("region", "geo.region"), named("tenant", "a.tenant", "tenant_id"))
                    .timeFields();
            assertThat(settings.route("{\"event_type\":\"e\",\"geo\":{\"region\":\"eu\"},\"tenant_id\":\"t\"}"))
                    .isEqualTo("e/p_geo.region=eu/p_tenant=t");
        }

        @Test
        void fieldNamesAndPrefixesAreEncodedLikeValues() {
            var settings = new Settings()
                    .levels(level("@system"))
                    .partitionPrefix("p/")
                    .timePrefix("=")
                    .unit(TimeUnit.YEAR);
            assertThat(settings.route("{\"event_type\":\"e\",\"@system\":\"s\"," + TIME + "}"))
                    .isEqualTo("e/p%2F%40system=s/%3Dyear=2024");
        }

        @Test
        void pathsAreEachOneOfTheSettingsOnce() {
            var settings = new Settings()
                    .levels(level("tenant_id"), level("event_type"))
                    .timeFields("time", "date")
                    .overrideLevels("x", level("other"), level("tenant_id"))
                    .overrideTime("y", "date", "at");
            assertThat(new Router(settings.build()).paths().paths())
                    .containsExactlyInAnyOrder("event_type", "tenant_id", "time", "date", "other", "at");
        }

        @Test
        void aLevelWithoutFieldsIsRefused() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Router(new Settings().levels(level()).build()));
        }
    }

    @Nested
    class Alternatives {
        private final Settings settings =
                new Settings().namespaceFields("a", "b").levels().timeFields();

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\'',
                value = {
                    "{\"a\":\"x\",\"b\":\"y\"}        | x",
                    "{\"b\":\"y\",\"a\":\"x\"}        | x",
                    "{\"b\":\"y\"}                    | y",
                    "{\"a\":null,\"b\":\"y\"}         | y",
                    "{\"a\":\"\",\"b\":\"y\"}         | y",
                    "{\"a\":0,\"b\":\"y\"}            | 0",
                    "{\"a\":\" \",\"b\":\"y\"}        | %20",
                    "{\"a\":{},\"b\":\"y\"}           | !bad_namespace",
                    "{\"a\":[],\"b\":\"y\"}           | !bad_namespace",
                    "{\"a\":false,\"b\":\"y\"}        | !bad_namespace",
                    "{\"a\":true,\"b\":\"y\"}         | !bad_namespace",
                    "{\"a\":NaN,\"b\":\"y\"}          | !bad_namespace",
                    "{\"a\":-Infinity,\"b\":\"y\"}    | !bad_namespace",
                    "{\"a\":\"\\ud800\",\"b\":\"y\"}  | !bad_namespace",
                    "{\"a\":\"\",\"b\":null}          | !missing_namespace",
                    "{}                               | !missing_namespace",
                    "{\"A\":\"x\",\"c\":{\"a\":1}}    | !missing_namespace",
                })
        void theFirstThatHoldsSomethingDecides(String json, String path) {
            assertThat(settings.route(json)).isEqualTo(path);
        }

        @Test
        void aTornKeyIsAFaultWhenItIsConsulted() {
            assertThat(settings.route("{\"a\":\"x\",\"a\":\"y\"}")).isEqualTo("!duplicate_key");
            assertThat(settings.route("{\"a\":\"\",\"a\":\"y\",\"b\":\"z\"}")).isEqualTo("!duplicate_key");
            assertThat(settings.route("{\"a\":null,\"b\":\"x\",\"b\":\"y\"}")).isEqualTo("!duplicate_key");
        }

        @Test
        void aTornKeyBehindTheOneThatDecidesDoesNoHarm() {
            assertThat(settings.route("{\"a\":\"x\",\"b\":\"y\",\"b\":\"z\"}")).isEqualTo("x");
        }

        @Test
        void equalRepeatsDoNoHarm() {
            assertThat(settings.route("{\"a\":\"x\",\"a\":\"x\"}")).isEqualTo("x");
        }

        @Test
        void aTornParentIsAFaultEvenIfNeitherHoldsTheKey() {
            var nested = new Settings().namespaceFields("d.a", "b").levels().timeFields();
            assertThat(nested.route("{\"d\":{\"a\":1},\"d\":{\"a\":2}}")).isEqualTo("!duplicate_key");
            assertThat(nested.route("{\"d\":{},\"d\":{\"x\":2},\"b\":\"y\"}")).isEqualTo("!duplicate_key");
        }
    }

    @Nested
    class OrderOfFaults {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\'',
                value = {
                    "{}                                                     | !missing_namespace",
                    "{\"event_type\":true,\"tenant_id\":true,\"time\":true}   | !bad_namespace",
                    "{\"event_type\":\"e\",\"tenant_id\":true,\"time\":true}  | !bad_partition",
                    "{\"event_type\":\"e\",\"time\":true}                     | !missing_partition",
                    "{\"event_type\":\"e\",\"tenant_id\":1,\"time\":true}     | !bad_time",
                    "{\"event_type\":\"e\",\"tenant_id\":1,\"time\":NaN}      | !bad_time",
                    "{\"event_type\":\"e\",\"tenant_id\":1}                   | !missing_time",
                    "{\"event_type\":\"e\",\"tenant_id\":1,\"time\":20240615} | !ambiguous_time",
                })
        void isNamespaceThenPartitionThenTime(String json, String reason) {
            assertThat(new Settings().route(json)).isEqualTo(reason);
        }

        @Test
        void inOneValueInvalidUtf8ComesBeforeALoneSurrogateBeforeItsLength() {
            assertThat(routeTenant("\\ud800" + "x".repeat(300) + "\u00ff")).isEqualTo("!invalid_utf8");
            assertThat(routeTenant("x".repeat(300) + "\\ud800")).isEqualTo("!bad_partition");
            assertThat(routeTenant("x".repeat(300))).isEqualTo("!key_too_long");
        }

        @Test
        void aTimeTextThatIsNotUtf8IsInvalidUtf8() {
            var settings = new Settings().fixedNamespace("").levels();
            assertThat(routeLatin1(settings, "{\"time\":\"2024-01-01\u00e9\"}")).isEqualTo("!invalid_utf8");
            assertThat(settings.route("{\"time\":\"2024-01-01é\"}")).isEqualTo("!bad_time");
        }

        private static String routeTenant(String inside) {
            return routeLatin1(new Settings().timeFields(), "{\"event_type\":\"e\",\"tenant_id\":\"" + inside + "\"}");
        }
    }

    @Nested
    class Utf8 {
        @ParameterizedTest
        @CsvSource({
            "c3a9, %C3%A9",
            "dfbf, %DF%BF",
            "e0a080, %E0%A0%80",
            "ed9fbf, %ED%9F%BF",
            "ee8080, %EE%80%80",
            "efbfbf, %EF%BF%BF",
            "f0908080, %F0%90%80%80",
            "f48fbfbf, %F4%8F%BF%BF",
            "efbbbf, %EF%BB%BF",
            "80, !invalid_utf8",
            "c0af, !invalid_utf8",
            "c1bf, !invalid_utf8",
            "c3, !invalid_utf8",
            "c328, !invalid_utf8",
            "e09fbf, !invalid_utf8",
            "e282, !invalid_utf8",
            "eda080, !invalid_utf8",
            "edbfbf, !invalid_utf8",
            "f0808080, !invalid_utf8",
            "f0908028, !invalid_utf8",
            "f4908080, !invalid_utf8",
            "f5808080, !invalid_utf8",
            "ff, !invalid_utf8",
        })
        void isCheckedInRoutedValues(String hex, String path) {
            var inside = new String(java.util.HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
            var settings = new Settings().namespaceFields("n").levels().timeFields();
            assertThat(routeLatin1(settings, "{\"n\":\"" + inside + "\"}")).isEqualTo(path);
        }
    }

    @Nested
    class Escapes {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\'',
                value = {
                    "\\u0041        | A",
                    "\\u00e9        | %C3%A9",
                    "\\u20AC        | %E2%82%AC",
                    "\\ud83d\\ude9a | %F0%9F%9A%9A",
                    "\\uD83D\\uDE9A | %F0%9F%9A%9A",
                    "\\u0000        | %00",
                    "\\b\\f\\n\\r\\t| %08%0C%0A%0D%09",
                    "\\/\\\\\\\"    | %2F%5C%22",
                    "\\ud83d        | !bad_namespace",
                    "\\ude9a        | !bad_namespace",
                    "\\ude9a\\ud83d | !bad_namespace",
                    "\\ud83dx\\ude9a| !bad_namespace",
                    "\\ud83d\\u0041 | !bad_namespace",
                    "\\ud83d\\\\ude9a| !bad_namespace",
                    "\\u002e\\u002e | %2E%2E",
                    "\\u005fx       | %5Fx",
                })
        void areUndoneBeforeAValueIsUsed(String inside, String path) {
            var settings = new Settings().namespaceFields("n").levels().timeFields();
            assertThat(settings.route("{\"n\":\"" + inside + "\"}")).isEqualTo(path);
        }

        @Test
        void areUndoneInTimes() {
            var settings = new Settings().fixedNamespace("").levels().unit(TimeUnit.YEAR);
            assertThat(settings.route("{\"time\":\"2024\\u002d06-15\"}")).isEqualTo("p_year=2024");
            assertThat(settings.route("{\"time\":\"2024\\u002d06-15\\ud800\"}")).isEqualTo("!bad_time");
            assertThat(settings.route("{\"time\":\"2024\\u002d06-15\\u00e9\"}")).isEqualTo("!bad_time");
        }
    }

    @Nested
    class Lengths {
        @Test
        void aFolderMayHave255Bytes() {
            int room = 255 - "p_tenant_id=".length();
            assertThat(routeTenant("x".repeat(room))).endsWith("=" + "x".repeat(room));
            assertThat(routeTenant("x".repeat(room + 1))).isEqualTo("!key_too_long");
            assertThat(routeTenant("x".repeat(room - 3) + "/")).endsWith("x%2F");
            assertThat(routeTenant("x".repeat(room - 2) + "/")).isEqualTo("!key_too_long");
        }

        @Test
        void aMaskedNamespaceMayHave255Bytes() {
            var settings = new Settings().namespaceFields("n").levels().timeFields();
            assertThat(settings.route("{\"n\":\"_" + "x".repeat(252) + "\"}")).isEqualTo("%5F" + "x".repeat(252));
            assertThat(settings.route("{\"n\":\"_" + "x".repeat(253) + "\"}")).isEqualTo("!key_too_long");
            assertThat(settings.route("{\"n\":\"" + "x".repeat(255) + "\"}")).hasSize(255);
            assertThat(settings.route("{\"n\":\"" + "x".repeat(256) + "\"}")).isEqualTo("!key_too_long");
        }

        @Test
        void aWholeKeyMayHave1024BytesWithTheNameBelowAndThePrefixAbove() {
            var settings = new Settings()
                    .namespaceFields("n")
                    .levels(level("a"), level("b"), level("c"))
                    .partitionPrefix("")
                    .timeFields();
            assertThat(routeLong(settings, 0, 944)).isNotEqualTo("!key_too_long");
            assertThat(routeLong(settings, 0, 945)).isEqualTo("!key_too_long");
            assertThat(routeLong(settings, 100, 844)).isNotEqualTo("!key_too_long");
            assertThat(routeLong(settings, 100, 845)).isEqualTo("!key_too_long");
        }

        private static String routeLong(RoutingSettings settings, int sinkPrefix, int length) {
            var router = new Router(settings, sinkPrefix);
            String full = "x".repeat(240);
            String last = "x".repeat(length - 3 * 240 - "/a=/b=/c=".length());
            var json = "{\"n\":\"%s\",\"a\":\"%s\",\"b\":\"%s\",\"c\":\"%s\"}".formatted(full, full, full, last);
            return Settings.text(router.route(RawRecord.of(json, router.paths())));
        }

        private static String routeLong(Settings settings, int sinkPrefix, int length) {
            return routeLong(settings.build(), sinkPrefix, length);
        }

        @Test
        void aFolderTheSettingsFixAndThatIsTooLongIsRefusedAtOnce() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Router(
                            new Settings().fixedNamespace("x".repeat(256)).build()))
                    .withMessageContaining("256 bytes");
        }

        private static String routeTenant(String tenant) {
            return new Settings().timeFields().route("{\"event_type\":\"e\",\"tenant_id\":\"" + tenant + "\"}");
        }
    }

    @Nested
    class Defaults {
        @Test
        void standForWhatIsMissingAndForNothingElse() {
            var settings = new Settings().onMissing(HIVE, HIVE, HIVE);
            String time = "/p_year=" + HIVE + "/p_month=" + HIVE + "/p_day=" + HIVE;
            assertThat(settings.route("{}")).isEqualTo(HIVE + "/p_detail.tenant_id=" + HIVE + time);
            assertThat(settings.route("{\"event_type\":true}")).isEqualTo("!bad_namespace");
            assertThat(settings.route("{\"tenant_id\":true}")).isEqualTo("!bad_partition");
            assertThat(settings.route("{\"time\":\"never\"}")).isEqualTo("!bad_time");
        }

        @Test
        void ofTimeHaveNoTimePartition() {
            var router = new Router(new Settings()
                    .fixedNamespace("")
                    .levels()
                    .onMissing("", "", HIVE)
                    .build());
            router.route(RawRecord.of("{" + TIME + "}", router.paths()));
            assertThat(router.route(RawRecord.of("{}", router.paths())).timePartition())
                    .isEqualTo(RouteResult.NO_TIME);
        }

        @Test
        void areNamedAfterThePartitionIfItHasAName() {
            var settings = new Settings()
                    .levels(named("tenant", "a", "b"), level("c", "d"))
                    .timeFields()
                    .onMissing("", "none", "");
            assertThat(settings.route("{\"event_type\":\"e\"}")).isEqualTo("e/p_tenant=none/p_c=none");
        }

        @Test
        void areEncodedAndMaskedButForHivesOwn() {
            var settings = new Settings().levels().timeFields();
            assertThat(settings.onMissing("_none/x", "", "").route("{}")).isEqualTo("%5Fnone%2Fx");
            assertThat(settings.onMissing(HIVE, "", "").route("{}")).isEqualTo(HIVE);
            assertThat(settings.onMissing(HIVE, "", "").route("{\"event_type\":\"" + HIVE + "\"}"))
                    .isEqualTo("%5F_HIVE_DEFAULT_PARTITION__");
        }
    }

    @Nested
    class Overrides {
        private final Settings settings = new Settings()
                .overrideLevels("order/created", level("shop"))
                .overrideLevels("audit")
                .overrideTime("beat", "at")
                .overrideTime("static")
                .overrideLevels(HIVE, level("fallback"))
                .unit(TimeUnit.YEAR);

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "order/created | order%2Fcreated/p_shop=s/p_year=2024",
                    "audit | audit/p_year=2024",
                    "beat | beat/p_tenant_id=t/p_year=2001",
                    "static | static/p_tenant_id=t",
                    "other | other/p_tenant_id=t/p_year=2024",
                })
        void countInTheirNamespaceOnly(String namespace, String path) {
            assertThat(settings.route(json("\"event_type\":\"" + namespace + "\",")))
                    .isEqualTo(path);
        }

        @Test
        void areFoundByTheUnescapedName() {
            assertThat(settings.route(json("\"event_type\":\"\\u0061udit\","))).isEqualTo("audit/p_year=2024");
        }

        @Test
        void countInADefaultNamespaceByItsName() {
            assertThat(settings.onMissing(HIVE, "", "").route(json(""))).isEqualTo(HIVE + "/p_fallback=f/p_year=2024");
        }

        @Test
        void countInAFixedNamespace() {
            assertThat(settings.fixedNamespace("audit").route(json(""))).isEqualTo("audit/p_year=2024");
            assertThat(settings.fixedNamespace("").route(json(""))).isEqualTo("p_tenant_id=t/p_year=2024");
        }

        @Test
        void areToldApartHoweverManyThereAre() {
            var many = new Settings().timeFields();
            for (int i = 0; i < 300; i++) {
                many.overrideLevels("n" + i, level("f" + i));
            }
            var router = new Router(many.build());
            for (int i = 0; i < 300; i++) {
                var json = "{\"event_type\":\"n%d\",\"f%d\":1}".formatted(i, i);
                assertThat(Settings.text(router.route(RawRecord.of(json, router.paths()))))
                        .isEqualTo("n%d/p_f%d=1".formatted(i, i));
            }
        }

        private static String json(String namespace) {
            return "{" + namespace
                    + "\"tenant_id\":\"t\",\"shop\":\"s\",\"fallback\":\"f\",\"at\":\"2001-01-01\",\"time\":\"2024-01-01\"}";
        }
    }

    /** Routes a record in which each character stands for one byte. */
    private static String routeLatin1(Settings settings, String json) {
        var router = new Router(settings.build());
        return Settings.text(router.route(RawRecord.of(json.getBytes(StandardCharsets.ISO_8859_1), router.paths())));
    }
}
