package dev.stet.ledger;

/**
 * A compaction's row. The header it names says which commits were taken; with the header the plan is fixed.
 *
 * @param generation counts from 1, without gaps
 * @param done false: OPEN, anyone may go on with it
 */
public record Compaction(long generation, boolean done, String headerKey) {}
