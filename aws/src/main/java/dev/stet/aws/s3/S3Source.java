package dev.stet.aws.s3;

import dev.stet.store.KeyRange;
import dev.stet.store.ObjectChangedException;
import dev.stet.store.ObjectIdentity;
import dev.stet.store.ObjectInfo;
import dev.stet.store.ObjectListing;
import dev.stet.store.ObjectRead;
import dev.stet.store.SourceReads;
import dev.stet.store.SourceStore;
import dev.stet.store.StoreException;
import dev.stet.store.UnreadableObjectException;
import dev.stet.store.UnreadableObjectException.Why;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A bucket, or a string prefix of it, as a source. Keys are relative as {@link SourceKeys} says. Only listing and reading requests exist in this class.
 */
public final class S3Source implements SourceStore {
    private final S3Calls calls;
    private final SourceKeys keys;
    private final ReadBudget ahead = ReadBudget.ofThisMachine();

    S3Source(S3Calls calls, String prefix) {
        this.calls = calls;
        this.keys = new SourceKeys(prefix);
    }

    /** The key that an object of the bucket has in this source; empty when it is not of the source. */
    public Optional<String> relative(String fullKey) {
        boolean mine = fullKey.startsWith(keys.prefix());
        return mine ? Optional.of(keys.relative(fullKey)) : Optional.empty();
    }

    @Override
    public ObjectListing list(KeyRange range) {
        return new SourceListing(calls, keys, range);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        String full = keys.full(key);
        try {
            HeadObjectResponse found =
                    calls.run(s3 -> s3.headObject(r -> r.bucket(calls.bucket()).key(full)));
            String etag = SourceListing.etag(found.eTag());
            return Optional.of(new ObjectInfo(
                    key,
                    found.contentLength(),
                    Optional.of(etag),
                    etag,
                    SourceListing.modified(Optional.ofNullable(found.lastModified()))));
        } catch (S3Exception e) {
            if (S3Calls.notFound(e)) {
                return Optional.empty();
            }
            throw unreadable(e, full);
        } catch (SdkException e) {
            throw calls.failure(e, Action.READ, full);
        }
    }

    @Override
    public ObjectRead open(ObjectInfo object) throws IOException {
        return open(object, 0);
    }

    @Override
    public ObjectRead open(ObjectInfo object, long offset) throws IOException {
        String full = keys.full(object.key());
        ResponseInputStream<GetObjectResponse> first = get(object, full, offset);
        ResumingBody body = new ResumingBody(
                offset,
                object.size(),
                Optional.of(first),
                from -> get(object, full, from),
                last -> new UnreadableObjectException(
                        Why.UNREADABLE,
                        calls.describe(full) + ": reading breaks off (" + last.getMessage() + ")",
                        last));
        Optional<String> version =
                Optional.ofNullable(first.response().versionId()).filter(v -> !v.equals("null"));
        return new Read(body, new ObjectIdentity(object.key(), object.revision(), object.size(), version));
    }

    /** Small objects are fetched ahead. */
    @Override
    public SourceReads reads(List<ObjectInfo> inOrder) {
        return new ReadAhead(this, ahead, inOrder);
    }

    /** A read pinned to the listed version, from a position on. */
    private ResponseInputStream<GetObjectResponse> get(ObjectInfo object, String full, long from) throws IOException {
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(calls.bucket())
                .key(full)
                .ifMatch("\"" + object.revision() + "\"")
                .range(from == 0 ? null : "bytes=" + from + "-")
                .build();
        try {
            ResponseInputStream<GetObjectResponse> stream = calls.run(s3 -> s3.getObject(request));
            check(stream, object, full, from);
            return stream;
        } catch (S3Exception e) {
            if (S3Calls.preconditionFailed(e) || e.statusCode() == 416) {
                throw changed(object, e);
            }
            throw unreadable(e, full);
        } catch (SdkException e) {
            throw calls.failure(e, Action.READ, full);
        }
    }

    private void check(ResponseInputStream<GetObjectResponse> stream, ObjectInfo object, String full, long from)
            throws IOException {
        GetObjectResponse response = stream.response();
        Long length = response.contentLength();
        if (from > 0 && response.contentRange() == null) {
            stream.abort();
            throw new StoreException(calls.describe(full) + ": the server ignores the range of a request");
        }
        // Not every server heeds If-Match.
        boolean same =
                response.eTag() == null || SourceListing.etag(response.eTag()).equals(object.revision());
        if (!same || (length != null && length != object.size() - from)) {
            stream.abort();
            throw new ObjectChangedException(object.key());
        }
    }

    private static ObjectChangedException changed(ObjectInfo object, Throwable cause) {
        ObjectChangedException e = new ObjectChangedException(object.key());
        e.initCause(cause);
        return e;
    }

    /** Tells what concerns one object from what stops the run. */
    private IOException unreadable(S3Exception e, String full) {
        String text = calls.describe(full) + ": " + S3Calls.text(e);
        if (S3Calls.notFound(e)) {
            return new UnreadableObjectException(Why.DELETED, text, e);
        }
        if (S3Calls.code(e).equals("InvalidObjectState")) {
            return new UnreadableObjectException(Why.ARCHIVED, text, e);
        }
        boolean ofKey = S3Calls.code(e).startsWith("KMS.") || S3Calls.text(e).contains("kms:");
        if (ofKey || S3Calls.denied(e)) {
            return new UnreadableObjectException(Why.ACCESS_DENIED, ofKey ? text : text + calls.payerHint(), e);
        }
        return calls.failure(e, Action.READ, full);
    }

    @Override
    public ObjectIdentity identify(ObjectInfo object) {
        return new ObjectIdentity(object.key(), object.revision(), object.size(), Optional.empty());
    }

    @Override
    public String describe() {
        return calls.describe(keys.prefix());
    }

    private record Read(ResumingBody body, ObjectIdentity identity) implements ObjectRead {
        @Override
        public Optional<String> version() {
            return identity.version();
        }

        /** Every request was pinned, so there is nothing to look at again. */
        @Override
        public ObjectIdentity finish() {
            return identity;
        }

        @Override
        public void close() {
            body.close();
        }
    }
}
