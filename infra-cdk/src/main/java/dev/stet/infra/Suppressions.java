package dev.stet.infra;

/** Findings of the security rules that stay, each with its reason on the very resource. */
final class Suppressions {
    private Suppressions() {}

    static void apply(StetStack stack) {}
}
