/** The ledger port and its rows: which objects are copied, which commits count, which compaction is under way. */
@NullMarked
package dev.stet.ledger;

import org.jspecify.annotations.NullMarked;
