package dev.stet.aws.s3;

import dev.stet.config.ConfigException;
import dev.stet.config.Location;
import dev.stet.store.KeyRange;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Looks, before a byte is copied, whether a run can go through. No object is read and none is left behind: reading is tried by HEAD, writing by a
 * multipart upload that is begun and aborted. Deleting is not tried, since on a versioned bucket that leaves a marker.
 */
public final class S3Preflight {
    private static final String PROBE = "stet-probe";
    /** One object may be denied without a fault of the whole (rule book D42). */
    private static final int SAMPLES = 3;

    private final S3Clients clients;

    public S3Preflight(S3Clients clients) {
        this.clients = clients;
    }

    /** Can the source be listed and read, and is its prefix what was meant? */
    public List<Finding> source(Location.S3 source) throws ConfigException {
        S3Calls calls = clients.sourceCalls(source);
        SourceKeys keys = new SourceKeys(source.prefix());
        try {
            List<String> first = firstPage(calls, source.prefix());
            if (first.isEmpty()) {
                return List.of(Finding.note(source.describe() + ": no object there"));
            }
            List<Finding> findings = new ArrayList<>();
            unreadable(calls, keys, first).ifPresent(findings::add);
            sibling(calls, keys, first.getFirst()).ifPresent(findings::add);
            return findings;
        } catch (IOException e) {
            return List.of(stop(e));
        }
    }

    private static List<String> firstPage(S3Calls calls, String prefix) throws IOException {
        KeyPages pages = new KeyPages(calls, prefix, Optional.empty(), KeyPages.PAGE);
        List<String> keys = new ArrayList<>();
        while (keys.size() < KeyPages.PAGE && pages.peek().isPresent()) {
            keys.add(pages.peek().map(S3Object::key).orElseThrow());
            pages.pop();
        }
        return keys;
    }

    private static Optional<Finding> unreadable(S3Calls calls, SourceKeys keys, List<String> page) throws IOException {
        var samples = new LinkedHashSet<String>();
        for (int i = 0; i < SAMPLES; i++) {
            samples.add(page.get(i * (page.size() - 1) / (SAMPLES - 1)));
        }
        Optional<S3Exception> denial = Optional.empty();
        for (String key : samples) {
            try {
                var found = calls.run(
                        s3 -> s3.headObject(r -> r.bucket(calls.bucket()).key(key)));
                assert found != null;
                return Optional.empty();
            } catch (S3Exception e) {
                if (!S3Calls.denied(e)) {
                    // Gone meanwhile, for example: the run tells of it.
                    return Optional.empty();
                }
                denial = Optional.of(e);
            } catch (SdkException e) {
                throw calls.failure(e, Action.READ, key);
            }
        }
        // With one object only, the run itself reports that one.
        return samples.size() < 2
                ? Optional.empty()
                : denial.map(e -> stop(calls.failure(e, Action.READ, keys.prefix() + "*")));
    }

    /** A prefix without a final slash that takes a folder and something beside it. */
    private static Optional<Finding> sibling(S3Calls calls, SourceKeys keys, String first) throws IOException {
        String folder = keys.folder();
        if (keys.prefix().equals(folder)) {
            return Optional.empty();
        }
        Optional<String> beside;
        if (first.startsWith(folder)) {
            // Behind the folder: its keys all begin with it, and the next possible key has the character after the
            // slash.
            String last = folder + Character.toString(Character.MAX_CODE_POINT);
            beside = new KeyPages(calls, keys.prefix(), Optional.of(last), 1)
                    .peek()
                    .map(S3Object::key);
        } else {
            boolean folderHasKeys =
                    new KeyPages(calls, folder, Optional.empty(), 1).peek().isPresent();
            beside = folderHasKeys ? Optional.of(first) : Optional.empty();
        }
        return beside.map(key -> {
            int slash = key.indexOf('/', keys.prefix().length());
            String name = slash < 0 ? key : key.substring(0, slash + 1);
            String what = name.equals(keys.prefix()) ? "the object of that very name" : calls.describe(name);
            return Finding.note(calls.describe(keys.prefix()) + " also takes " + what + "; for the folder alone write "
                    + calls.describe(folder));
        });
    }

    /** Can the place be listed, written, and what is written be read? */
    public List<Finding> writable(Location.S3 place, StoreOptions options) throws ConfigException {
        S3Store store = clients.store(place, options.withUploadsOnly());
        try {
            try (ObjectListing listing = store.list(KeyRange.ALL)) {
                var any = listing.next();
                assert any.isPresent() || any.isEmpty();
            }
            // A name of its own: no upload of anybody else is aborted.
            String probe = PROBE + "-" + UUID.randomUUID();
            beginAndAbort(store, probe);
            var none = store.readBack(probe);
            assert none.isEmpty();
            return List.of();
        } catch (IOException e) {
            return List.of(stop(e));
        }
    }

    /** A request to begin whose answer was lost is repeated by the SDK, so there may be more uploads than the one it tells of. */
    private static void beginAndAbort(S3Store store, String probe) throws IOException {
        try (ObjectWriter writer = store.create(probe)) {
            writer.abort();
        } catch (IOException e) {
            try {
                store.abortUploads(probe);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        store.abortUploads(probe);
    }

    /** Like {@link #writable}, and does the bucket let staged objects live? */
    public List<Finding> staging(Location.S3 staging, StoreOptions options) throws ConfigException {
        List<Finding> findings = new ArrayList<>(writable(staging, options));
        if (findings.stream().anyMatch(f -> f.kind() == Finding.Kind.NO_ANSWER)) {
            return findings;
        }
        S3Calls calls = clients.calls(staging);
        String folder = folder(staging);
        try {
            GetBucketLifecycleConfigurationResponse found =
                    calls.run(s3 -> s3.getBucketLifecycleConfiguration(r -> r.bucket(calls.bucket())));
            found.rules().stream()
                    .flatMap(rule -> LifecycleRules.harm(rule, folder).stream())
                    .map(harm -> Finding.stop("a lifecycle rule of the bucket " + calls.bucket() + " " + harm + ", and "
                            + calls.describe(folder) + " is staging: exclude it from the rule or set --staging"))
                    .forEach(findings::add);
        } catch (S3Exception e) {
            if (S3Calls.denied(e)) {
                findings.add(Finding.note("the lifecycle rules of the bucket " + calls.bucket()
                        + " cannot be read, which needs " + Action.READ_LIFECYCLE.on(calls.bucket(), "")
                        + ": see that none expires " + calls.describe(folder)));
            }
            // Most buckets have no rules, and some servers know of none.
        } catch (SdkException e) {
            findings.add(stop(calls.failure(e, Action.READ_LIFECYCLE, folder)));
        }
        return findings;
    }

    /** Would what is written be read again as source? @param name {@code sink} or {@code staging} */
    public static Optional<Finding> inside(Location.S3 source, String name, Location.S3 written)
            throws ConfigException {
        if (!source.bucket().equals(written.bucket())
                || !S3Clients.sameService(source, written)
                || !folder(written).startsWith(source.prefix())) {
            return Optional.empty();
        }
        SourceKeys keys = new SourceKeys(source.prefix());
        boolean onlyByPrefix = !folder(written).startsWith(keys.folder());
        return Optional.of(Finding.stop("the " + name + " " + written.describe() + " lies inside the source "
                + source.describe() + ": what is written would be copied again"
                + (onlyByPrefix ? "; for the folder alone write " + source.describe() + "/" : "")));
    }

    private static String folder(Location.S3 place) {
        return new SourceKeys(place.prefix()).folder();
    }

    private static Finding stop(IOException e) {
        String text = e.getMessage() == null ? "the store cannot be reached" : e.getMessage();
        return e.getCause() instanceof S3Exception ? Finding.stop(text) : Finding.noAnswer(text);
    }
}
