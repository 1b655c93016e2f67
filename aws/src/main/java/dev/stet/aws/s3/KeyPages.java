package dev.stet.aws.s3;

import dev.stet.store.KeyOrder;
import dev.stet.store.StoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects of a bucket under a string prefix, by full key, one page in memory. Every page is asked for by {@code StartAfter}: the last key is all
 * there is to know, and no token can grow old. Not thread-safe.
 */
final class KeyPages {
    static final int PAGE = 1_000;

    private final S3Calls calls;
    private final String prefix;
    private final int pageSize;
    private final Deque<S3Object> page = new ArrayDeque<>();
    private Optional<String> after;
    private boolean last;

    /** @param after the listing starts behind this full key; empty: at the prefix itself */
    KeyPages(S3Calls calls, String prefix, Optional<String> after, int pageSize) {
        this.calls = calls;
        this.prefix = prefix;
        this.after = after;
        this.pageSize = pageSize;
    }

    Optional<S3Object> peek() throws IOException {
        while (page.isEmpty() && !last) {
            load();
        }
        return Optional.ofNullable(page.peek());
    }

    void pop() {
        page.pop();
    }

    private void load() throws IOException {
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(calls.bucket())
                .prefix(prefix)
                .maxKeys(pageSize)
                .startAfter(after.orElse(null))
                // Keys may hold what XML cannot. The SDK decodes the answer only where it says that it is encoded.
                .encodingType(EncodingType.URL)
                .build();
        ListObjectsV2Response response = calls.run(Action.LIST, prefix, s3 -> s3.listObjectsV2(request));
        for (S3Object object : response.contents()) {
            String key = object.key();
            // What is done of a range is told by its last key, so a server that lists in another order would lose
            // objects.
            if (after.isPresent() && KeyOrder.compare(key, after.get()) <= 0) {
                throw new StoreException(calls.describe(prefix) + ": the server does not list keys in UTF-8 order ("
                        + key + " after " + after.get() + ")");
            }
            after = Optional.of(key);
            page.add(object);
        }
        last = !Boolean.TRUE.equals(response.isTruncated());
        if (!last && page.isEmpty()) {
            throw new StoreException(calls.describe(prefix) + ": the server sent an empty page and promised more");
        }
    }
}
