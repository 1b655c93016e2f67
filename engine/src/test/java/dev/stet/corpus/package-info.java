/**
 * A realistic Firehose archive with ground truth, and a reader of what landed. Both know the rule book and the layout, and nothing of the engine but its
 * digest: they are what the engine is judged by.
 */
package dev.stet.corpus;
