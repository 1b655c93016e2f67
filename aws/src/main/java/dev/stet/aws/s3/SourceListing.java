package dev.stet.aws.s3;

import dev.stet.store.KeyOrder;
import dev.stet.store.KeyRange;
import dev.stet.store.ListEntry;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.Unlistable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A range of a source in the order of its relative keys: the folder's keys, and where {@code ../} stands among them those beside the folder. S3 is asked
 * about the latter only when the range spans that place, so they cost a run two requests, and one where the prefix ends in a slash.
 */
final class SourceListing implements ObjectListing {
    /** Behind all keys of a folder but such as begin with this very character, the last of all. */
    private static final String LAST = "\uDBFF\uDFFF";

    /** A walk through keys beside the folder. @param upTo ends it; empty: the prefix does */
    private record Beside(KeyPages pages, Optional<String> upTo) {}

    private final S3Calls calls;
    private final SourceKeys keys;
    private final KeyRange range;
    private final Optional<KeyPages> inside;
    private final Deque<Beside> beside = new ArrayDeque<>();

    SourceListing(S3Calls calls, SourceKeys keys, KeyRange range) {
        this.calls = calls;
        this.keys = keys;
        this.range = range;
        boolean fromBeside = isBeside(range.after());
        boolean toBeside = range.upTo().isPresent() && isBeside(range.upTo().get());
        this.inside = fromBeside && toBeside
                ? Optional.empty()
                : Optional.of(pages(keys.folder(), fromBeside ? SourceKeys.BESIDE : range.after()));
        if (!keys.wholeBucket()
                && KeyOrder.compare(range.after(), SourceKeys.AFTER_BESIDE) < 0
                && (range.upTo().isEmpty() || KeyOrder.compare(range.upTo().get(), SourceKeys.BESIDE) >= 0)) {
            addBeside(fromBeside ? Optional.of(keys.full(range.after())) : Optional.empty());
        }
    }

    private KeyPages pages(String prefix, String after) {
        String full = keys.folder() + after;
        return new KeyPages(calls, prefix, full.isEmpty() ? Optional.empty() : Optional.of(full), KeyPages.PAGE);
    }

    /** Those before the folder, its own marker included, and those behind it. */
    private void addBeside(Optional<String> after) {
        String folder = keys.folder();
        boolean stringPrefix = !keys.prefix().equals(folder);
        if (after.isEmpty() || KeyOrder.compare(after.get(), folder) < 0) {
            int most = stringPrefix ? KeyPages.PAGE : 1;
            beside.add(new Beside(new KeyPages(calls, keys.prefix(), after, most), Optional.of(folder)));
        }
        if (stringPrefix) {
            String behind = folder + LAST;
            String from = after.filter(a -> KeyOrder.compare(a, behind) > 0).orElse(behind);
            beside.add(
                    new Beside(new KeyPages(calls, keys.prefix(), Optional.of(from), KeyPages.PAGE), Optional.empty()));
        }
    }

    private boolean isBeside(String relative) {
        return !keys.wholeBucket() && relative.startsWith(SourceKeys.BESIDE);
    }

    @Override
    public Optional<ListEntry> next() throws IOException {
        Optional<S3Object> object = inside.isPresent() ? inside.get().peek() : Optional.empty();
        if (object.isEmpty() || KeyOrder.compare(object.get().key(), keys.folder() + SourceKeys.BESIDE) >= 0) {
            Optional<ListEntry> sibling = nextBeside();
            if (sibling.isPresent()) {
                return sibling;
            }
        }
        if (object.isEmpty()) {
            return Optional.empty();
        }
        String full = object.get().key();
        String relative = full.substring(keys.folder().length());
        if (!range.contains(relative)) {
            // Only the upper end can be passed: the listing starts behind the lower one.
            return Optional.empty();
        }
        inside.ifPresent(KeyPages::pop);
        return Optional.of(
                isBeside(relative)
                        ? new Unlistable(
                                relative,
                                "a key that begins with ../ inside " + calls.describe(keys.folder())
                                        + " cannot be told from one beside it; copy "
                                        + calls.describe(keys.folder() + "../")
                                        + " on its own")
                        : info(relative, object.get()));
    }

    private Optional<ListEntry> nextBeside() throws IOException {
        while (!beside.isEmpty()) {
            Beside walk = beside.element();
            Optional<S3Object> object = walk.pages().peek();
            if (object.isEmpty() || isBehind(object.get().key(), walk.upTo())) {
                beside.remove();
                continue;
            }
            walk.pages().pop();
            String full = object.get().key();
            // Keys of the folder that begin with the very last character come even behind LAST.
            if (keys.inside(full)) {
                continue;
            }
            String relative = keys.relative(full);
            if (isBehind(relative, range.upTo())) {
                beside.clear();
                return Optional.empty();
            }
            return Optional.of(info(relative, object.get()));
        }
        return Optional.empty();
    }

    private static boolean isBehind(String key, Optional<String> upTo) {
        return upTo.isPresent() && KeyOrder.compare(key, upTo.get()) > 0;
    }

    static ObjectInfo info(String key, S3Object object) {
        String etag = etag(object.eTag());
        return new ObjectInfo(
                key, object.size(), Optional.of(etag), etag, modified(Optional.ofNullable(object.lastModified())));
    }

    /** Listings may tell milliseconds, answers to HEAD never; some servers that speak S3 tell no time at all. */
    static Instant modified(Optional<Instant> told) {
        return told.map(t -> t.truncatedTo(ChronoUnit.SECONDS)).orElse(Instant.EPOCH);
    }

    /** ETags are quoted in answers, and mostly so in listings. */
    static String etag(String quoted) {
        int end = quoted.length();
        return end >= 2 && quoted.charAt(0) == '"' && quoted.charAt(end - 1) == '"'
                ? quoted.substring(1, end - 1)
                : quoted;
    }

    @Override
    public void close() {
        // Nothing is held between pages.
    }
}
