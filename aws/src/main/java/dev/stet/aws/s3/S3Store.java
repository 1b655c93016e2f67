package dev.stet.aws.s3;

import dev.stet.store.KeyRange;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectStore;
import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import dev.stet.store.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A folder of a bucket as sink or staging. A prefix without a final slash gets one: what is written lies in a folder.
 *
 * <p>{@link #abortUploads} reaches every upload of the key and every writer of this instance. A small object that another process still holds in memory is
 * no upload yet, and S3 knows no way to forbid its PUT, so that one may still appear: under a key that a plan fixed and with the bytes it fixed, or as a
 * bundle that no commit names. Where even that may not be, {@link StoreOptions#alwaysUpload} makes every object an upload from its first moment.
 */
public final class S3Store implements ObjectStore {
    private final S3Calls calls;
    private final String folder;
    private final StoreOptions options;
    /** Writers at work, by key. */
    private final Map<String, Set<S3Writer>> writers = new ConcurrentHashMap<>();

    S3Store(S3Calls calls, String prefix, StoreOptions options) {
        this.calls = calls;
        this.folder = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
        this.options = options;
    }

    @Override
    public ObjectListing list(KeyRange range) {
        return new StoreListing(calls, folder, range);
    }

    @Override
    public ObjectWriter create(String key) throws IOException {
        S3Writer writer = new S3Writer(this, calls, folder + key, options);
        if (options.alwaysUpload()) {
            writer.begin();
        }
        writers.compute(key, (_, set) -> {
            Set<S3Writer> open = set == null ? ConcurrentHashMap.newKeySet() : set;
            open.add(writer);
            return open;
        });
        return writer;
    }

    void ended(S3Writer writer, String full) {
        writers.computeIfPresent(full.substring(folder.length()), (_, set) -> {
            set.remove(writer);
            return set.isEmpty() ? null : set;
        });
    }

    @Override
    public InputStream read(String key, long offset, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream();
        }
        String full = folder + key;
        ResponseInputStream<GetObjectResponse> first = get(full, offset, length, Optional.empty());
        Optional<String> etag = Optional.ofNullable(first.response().eTag());
        return new ResumingBody(
                0,
                length,
                Optional.of(first),
                from -> get(full, offset + from, length - from, etag),
                last -> new StoreException(
                        calls.describe(full) + ": reading breaks off (" + last.getMessage() + ")", last));
    }

    private ResponseInputStream<GetObjectResponse> get(String full, long offset, long length, Optional<String> etag)
            throws IOException {
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(calls.bucket())
                .key(full)
                .range("bytes=" + offset + "-" + (offset + length - 1))
                .ifMatch(etag.orElse(null))
                .build();
        try {
            ResponseInputStream<GetObjectResponse> stream = calls.run(s3 -> s3.getObject(request));
            Long sent = stream.response().contentLength();
            if (sent != null && sent != length) {
                stream.abort();
                throw new StoreException(calls.describe(full) + ": " + length + " bytes from " + offset
                        + " on were asked for, and only " + sent + " are there");
            }
            return stream;
        } catch (S3Exception e) {
            if (S3Calls.notFound(e)) {
                throw new StoreException(calls.describe(full) + ": there is no such object", e);
            }
            throw calls.failure(e, Action.READ, full);
        } catch (SdkException e) {
            throw calls.failure(e, Action.READ, full);
        }
    }

    @Override
    public Optional<StoredObject> readBack(String key) throws IOException {
        String full = folder + key;
        HeadObjectRequest request = HeadObjectRequest.builder()
                .bucket(calls.bucket())
                .key(full)
                .checksumMode(options.checksums() ? ChecksumMode.ENABLED : null)
                .build();
        try {
            HeadObjectResponse head = calls.run(s3 -> s3.headObject(request));
            Optional<Integer> kept = Optional.ofNullable(head.checksumCRC32C())
                    .filter(_ -> head.checksumType() != ChecksumType.COMPOSITE)
                    .flatMap(Crc::decode);
            int crc = kept.isPresent() ? kept.get() : crcOfBytes(key, head.contentLength());
            return Optional.of(new StoredObject(head.contentLength(), crc));
        } catch (S3Exception e) {
            if (S3Calls.notFound(e)) {
                return Optional.empty();
            }
            throw calls.failure(e, Action.READ, full);
        } catch (SdkException e) {
            throw calls.failure(e, Action.READ, full);
        }
    }

    /** Where the server keeps no checksum of the whole object. */
    private int crcOfBytes(String key, long length) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = read(key, 0, length)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
            }
        }
        return (int) crc.getValue();
    }

    @Override
    public void delete(String key) throws IOException {
        String full = folder + key;
        try {
            var deleted = calls.run(
                    s3 -> s3.deleteObject(r -> r.bucket(calls.bucket()).key(full)));
            assert deleted != null;
        } catch (S3Exception e) {
            // Some servers answer so; S3 does not.
            if (!S3Calls.notFound(e)) {
                throw calls.failure(e, Action.DELETE, full);
            }
        } catch (SdkException e) {
            throw calls.failure(e, Action.DELETE, full);
        }
    }

    @Override
    public void abortUploads(String key) throws IOException {
        for (S3Writer writer : writers.getOrDefault(key, Set.of())) {
            writer.fence();
        }
        String full = folder + key;
        // The key itself is the first of all that it is a prefix of.
        abort(full, u -> u.key().equals(full), full::equals);
    }

    @Override
    public void abortUploadsNamed(String nameBeginning) throws IOException {
        ObjectStore.requireNameBeginning(nameBeginning);
        for (Map.Entry<String, Set<S3Writer>> e : writers.entrySet()) {
            if (ObjectStore.nameOf(e.getKey()).startsWith(nameBeginning)) {
                e.getValue().forEach(S3Writer::fence);
            }
        }
        abort(folder, u -> ObjectStore.nameOf(u.key()).startsWith(nameBeginning), nextKey -> true);
    }

    /**
     * Aborts unfinished writes that were begun before a time, in one walk through what is unfinished: of writers that cannot be alive any more, whose keys nobody knows.
     *
     * @param keys which of this store's keys
     */
    public void abortUploads(Predicate<String> keys, Instant begunBefore) throws IOException {
        abort(
                folder,
                // Of an unknown age: a writer may be alive.
                u -> Optional.ofNullable(u.initiated()).orElse(Instant.MAX).isBefore(begunBefore)
                        && keys.test(u.key().substring(folder.length())),
                nextKey -> true);
    }

    /**
     * Aborts unfinished uploads, page by page.
     *
     * @param prefix all that S3 can be asked for
     * @param goOn asked with the key where the next page begins
     */
    private void abort(String prefix, Predicate<MultipartUpload> condition, Predicate<String> goOn) throws IOException {
        Optional<ListMultipartUploadsResponse> last = Optional.empty();
        do {
            ListMultipartUploadsRequest request = ListMultipartUploadsRequest.builder()
                    .bucket(calls.bucket())
                    .prefix(prefix)
                    .encodingType(EncodingType.URL)
                    .keyMarker(last.map(ListMultipartUploadsResponse::nextKeyMarker)
                            .orElse(null))
                    .uploadIdMarker(last.map(ListMultipartUploadsResponse::nextUploadIdMarker)
                            .orElse(null))
                    .build();
            ListMultipartUploadsResponse page =
                    calls.run(Action.LIST_UPLOADS, prefix, s3 -> s3.listMultipartUploads(request));
            for (MultipartUpload upload : page.uploads()) {
                if (condition.test(upload)) {
                    calls.abortUpload(upload.key(), upload.uploadId());
                }
            }
            last = Optional.of(page);
        } while (Boolean.TRUE.equals(last.get().isTruncated())
                && goOn.test(last.get().nextKeyMarker()));
    }

    /** S3 answers when what it took is durable. */
    @Override
    public void flush() {}

    @Override
    public String describe() {
        return calls.describe(folder);
    }

    @Override
    public String describe(String key) {
        return calls.describe(folder + key);
    }
}
