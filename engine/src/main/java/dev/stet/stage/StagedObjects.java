package dev.stet.stage;

import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import dev.stet.store.UnknownOutcomeException;
import java.io.IOException;
import java.util.Optional;

/** Completes an object whose key nobody else uses: after a lost answer, or when the key is taken, what lies there is compared with what was written. */
public final class StagedObjects {
    private StagedObjects() {}

    public static void complete(ObjectStore store, String key, ObjectWriter writer, int crc32c) throws IOException {
        StoredObject mine = new StoredObject(writer.length(), crc32c);
        try {
            if (writer.complete(crc32c) == ObjectWriter.Outcome.CREATED) {
                return;
            }
        } catch (UnknownOutcomeException e) {
            Optional<StoredObject> there = store.readBack(key);
            if (there.isPresent() && there.get().equals(mine)) {
                return;
            }
            throw e;
        }
        Optional<StoredObject> there = store.readBack(key);
        if (there.isEmpty() || !there.get().equals(mine)) {
            throw new StoreException("another object lies under the key of a staged one: " + store.describe(key));
        }
    }
}
