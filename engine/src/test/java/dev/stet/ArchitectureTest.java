package dev.stet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/** Holds the direction of dependencies inside the engine. A package may use those named in its rule and no other. */
@AnalyzeClasses(packages = "dev.stet", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final List<String> PACKAGES = List.of(
            "record", "route", "codec", "audit", "store", "ledger", "config", "fanout", "stage", "copy", "task", "plan",
            "compact", "run", "api");

    @ArchTest
    static final ArchRule recordRule = layer("record", "framing works on bytes alone and is tested on bytes alone");

    @ArchTest
    static final ArchRule routeRule =
            layer("route", "where a record goes depends on the record and on nothing else", "record");

    @ArchTest
    static final ArchRule codecRule = layer(
            "codec",
            "compression knows streams, not what flows through them; record names what is wrong with them",
            "record");

    @ArchTest
    static final ArchRule auditRule =
            layer("audit", "the digest is the check on all other packages, so it must not depend on them");

    @ArchTest
    static final ArchRule storeRule =
            layer("store", "a port: adapters see the port and nothing of the engine behind it");

    @ArchTest
    static final ArchRule ledgerRule = layer(
            "ledger",
            "a port: its rows name key ranges and digests, and nothing of the engine behind it",
            "audit",
            "store");

    @ArchTest
    static final ArchRule configRule =
            layer("config", "settings name formats, fields and codecs; they start nothing", "record", "route", "codec");

    @ArchTest
    static final ArchRule stageRule = layer(
            "stage",
            "a bundle is written to a store and holds digests of encoded slices; it commits nothing itself",
            "audit",
            "codec",
            "record",
            "store");

    @ArchTest
    static final ArchRule copyRule = layer(
            "copy",
            "copying ends at the commit; landing is compaction's, and the two meet in the ledger only",
            "record",
            "route",
            "codec",
            "audit",
            "stage",
            "ledger",
            "store",
            "config");

    @ArchTest
    static final ArchRule taskRule = layer(
            "task",
            "a stateless worker copies by the same pieces as the engine of one machine, and knows no run",
            "copy",
            "ledger",
            "store",
            "audit",
            "fanout");

    @ArchTest
    static final ArchRule planRule = layer(
            "plan",
            "a plan is made of listings alone and written as tasks; it reads no object and no ledger",
            "task",
            "stage",
            "store",
            "fanout");

    @ArchTest
    static final ArchRule compactRule = layer(
            "compact",
            "compaction moves slices as they are: it never frames, routes or sees a source",
            "stage",
            "ledger",
            "store",
            "audit",
            "codec",
            "fanout");

    @ArchTest
    static final ArchRule fanoutRule = layer("fanout", "threads are handed tasks of any kind, so they know none");

    @ArchTest
    static final ArchRule apiRule = layer(
            "api",
            "it says in Java what a file and the command say: settings are config's to judge, running is an engine's",
            "config",
            "run");

    @ArchTest
    static final ArchRule nobodyUsesTheApi = noClasses()
            .that()
            .resideOutsideOfPackage(pattern("api"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(pattern("api"))
            .because("it is for programs that use the engine");

    @ArchTest
    static final ArchRule everyClassHasALayer = classes()
            .should()
            .resideInAnyPackage(PACKAGES.stream().map(ArchitectureTest::pattern).toArray(String[]::new))
            .because("a class outside the layers escapes the rules about them")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noCycles = slices().matching("dev.stet.(*)..")
            .should()
            .beFreeOfCycles()
            .because("packages that need each other are one package")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noAwsTypes = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("software.amazon..", "com.amazonaws..")
            .because("the engine runs on one machine without AWS; AWS is an adapter to its ports")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noStandardStreams = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS
            .because("only the command line talks to the terminal; the engine reports to a listener")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noJavaUtilLogging = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING
            .because("it prints to standard error by default; the engine reports to a listener")
            .allowEmptyShould(true);

    private static ArchRule layer(String name, String because, String... uses) {
        var allowed = Set.of(uses);
        var forbidden = PACKAGES.stream()
                .filter(other -> !other.equals(name) && !allowed.contains(other))
                .map(ArchitectureTest::pattern)
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(pattern(name))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .because(because)
                .allowEmptyShould(true);
    }

    private static String pattern(String name) {
        return "dev.stet." + name + "..";
    }
}
