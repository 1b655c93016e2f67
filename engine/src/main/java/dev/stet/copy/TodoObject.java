package dev.stet.copy;

import dev.stet.store.ObjectInfo;
import java.util.OptionalLong;

/**
 * A source object that is to be copied.
 *
 * @param before identity bits the ledger held for its key when this was decided; a commit is only made while they are still the same
 */
public record TodoObject(ObjectInfo info, OptionalLong before) {}
