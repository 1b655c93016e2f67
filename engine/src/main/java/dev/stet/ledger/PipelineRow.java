package dev.stet.ledger;

/** What the ledger was begun for, so that state of other settings is noticed. @param revision counts changes; 0: not stored yet */
public record PipelineRow(String source, String sink, String routing, long revision) {}
