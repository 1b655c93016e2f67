package dev.stet.aws.s3;

import dev.stet.store.ObjectWriter;
import dev.stet.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Writes one object: a small one as one PUT, a larger one as a multipart upload, begun when the first part is full; either on condition that the key is
 * free. What makes an object visible is one request, so there is nothing to see before it and nothing to undo after.
 */
final class S3Writer implements ObjectWriter {
    private static final String NO_OBJECT = "*";

    private record Part(int number, String etag, int crc32c) {}

    private final S3Store store;
    private final S3Calls calls;
    private final String key;
    private final StoreOptions options;
    private final PartBuffer buffer;
    private final CRC32C crc = new CRC32C();
    /** In order; S3 takes the object's bytes from this list, not from what it received. */
    private final List<Part> parts = new ArrayList<>();

    private Optional<String> uploadId = Optional.empty();
    private boolean fullChecksum;
    private long length;
    /** Held while the object becomes visible, so that who fences this writer knows afterwards whether it did. */
    private final Lock completing = new ReentrantLock();

    private volatile boolean fenced;

    S3Writer(S3Store store, S3Calls calls, String key, StoreOptions options) {
        this.store = store;
        this.calls = calls;
        this.key = key;
        this.options = options;
        this.buffer = new PartBuffer(options.parts());
    }

    /** Begins the upload now rather than when the first part is full. */
    void begin() throws IOException {
        uploadId = Optional.of(upload());
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        for (int at = from; at < to; ) {
            // Sent when there is more, so that the last part is never empty and what fits into one part needs no
            // upload.
            if (buffer.full()) {
                sendPart();
            }
            at += buffer.append(bytes, at, to);
        }
        crc.update(bytes, from, to - from);
        length += to - from;
    }

    @Override
    public long length() {
        return length;
    }

    private void sendPart() throws IOException {
        checkFence();
        if (parts.size() == PartSizes.MAX_PARTS) {
            throw new StoreException(calls.describe(key) + ": S3 takes no more than " + PartSizes.MAX_PARTS + " parts");
        }
        String upload = upload();
        int number = parts.size() + 1;
        UploadPartRequest request = UploadPartRequest.builder()
                .bucket(calls.bucket())
                .key(key)
                .uploadId(upload)
                .partNumber(number)
                .contentLength(buffer.length())
                .checksumCRC32C(options.checksums() ? Crc.encode(buffer.crc32c()) : null)
                .build();
        RequestBody body = buffer.body();
        String etag =
                calls.run(Action.WRITE, key, s3 -> s3.uploadPart(request, body)).eTag();
        parts.add(new Part(number, etag, buffer.crc32c()));
        buffer.next(number + 1);
    }

    private String upload() throws IOException {
        if (uploadId.isEmpty()) {
            CreateMultipartUploadRequest request = CreateMultipartUploadRequest.builder()
                    .bucket(calls.bucket())
                    .key(key)
                    .checksumAlgorithm(options.checksums() ? ChecksumAlgorithm.CRC32_C : null)
                    .checksumType(options.checksums() ? ChecksumType.FULL_OBJECT : null)
                    .storageClass(options.storageClass().orElse(null))
                    .serverSideEncryption(encryption())
                    .ssekmsKeyId(options.kmsKey().orElse(null))
                    .build();
            CreateMultipartUploadResponse response =
                    calls.run(Action.WRITE, key, s3 -> s3.createMultipartUpload(request));
            uploadId = Optional.of(response.uploadId());
            // A server that only knows the checksum of the parts' checksums says so here, and would refuse the right
            // one later.
            fullChecksum = options.checksums() && response.checksumType() == ChecksumType.FULL_OBJECT;
        }
        return uploadId.get();
    }

    private @Nullable ServerSideEncryption encryption() {
        return options.kmsKey().isPresent() ? ServerSideEncryption.AWS_KMS : null;
    }

    @Override
    public Outcome complete(int crc32c) throws IOException {
        if (crc32c != (int) crc.getValue()) {
            throw new StoreException(calls.describe(key) + ": the bytes to be written are not those that were counted");
        }
        completing.lock();
        try {
            checkFence();
            Outcome outcome = uploadId.isEmpty() ? put() : completeUpload();
            close();
            return outcome;
        } finally {
            completing.unlock();
        }
    }

    private Outcome put() throws IOException {
        PutObjectRequest request = PutObjectRequest.builder()
                .bucket(calls.bucket())
                .key(key)
                .ifNoneMatch(NO_OBJECT)
                .contentLength(length)
                .checksumCRC32C(options.checksums() ? Crc.encode((int) crc.getValue()) : null)
                .storageClass(options.storageClass().orElse(null))
                .serverSideEncryption(encryption())
                .ssekmsKeyId(options.kmsKey().orElse(null))
                .build();
        RequestBody body = buffer.body();
        try {
            var put = calls.run(s3 -> s3.putObject(request, body));
            assert put != null;
            return Outcome.CREATED;
        } catch (S3Exception e) {
            if (S3Calls.preconditionFailed(e)) {
                return Outcome.EXISTS;
            }
            throw calls.failure(e, Action.WRITE, key);
        } catch (SdkException e) {
            throw calls.failure(e, Action.WRITE, key);
        }
    }

    private Outcome completeUpload() throws IOException {
        sendPart();
        String upload = upload();
        List<CompletedPart> list = parts.stream()
                .map(p -> CompletedPart.builder()
                        .partNumber(p.number())
                        .eTag(p.etag())
                        .checksumCRC32C(options.checksums() ? Crc.encode(p.crc32c()) : null)
                        .build())
                .toList();
        CompleteMultipartUploadRequest request = CompleteMultipartUploadRequest.builder()
                .bucket(calls.bucket())
                .key(key)
                .uploadId(upload)
                .multipartUpload(m -> m.parts(list))
                .ifNoneMatch(NO_OBJECT)
                .checksumType(fullChecksum ? ChecksumType.FULL_OBJECT : null)
                .checksumCRC32C(fullChecksum ? Crc.encode((int) crc.getValue()) : null)
                .build();
        try {
            var completed = calls.run(s3 -> s3.completeMultipartUpload(request));
            assert completed != null;
            return Outcome.CREATED;
        } catch (S3Exception e) {
            if (S3Calls.preconditionFailed(e)) {
                drop(upload);
                return Outcome.EXISTS;
            }
            if (S3Calls.code(e).equals("NoSuchUpload")) {
                return afterUploadIsGone(e);
            }
            throw calls.failure(e, Action.WRITE, key);
        } catch (SdkException e) {
            throw calls.failure(e, Action.WRITE, key);
        }
    }

    /** The key was taken: what was uploaded is of no use. If it was this very upload that took it, there is nothing to drop. */
    private void drop(String upload) {
        try {
            calls.abortUpload(key, upload);
        } catch (IOException e) {
            // That the key is taken is the one to tell. An upload left open is no object, and is aborted with the
            // others.
        }
    }

    /** The upload was completed, by a request whose answer was lost, or it was aborted. Listings and reads are consistent, so one look tells. */
    private Outcome afterUploadIsGone(S3Exception gone) throws IOException {
        HeadObjectRequest request =
                HeadObjectRequest.builder().bucket(calls.bucket()).key(key).build();
        try {
            var found = calls.run(s3 -> s3.headObject(request));
            assert found != null;
            return Outcome.EXISTS;
        } catch (S3Exception e) {
            if (S3Calls.notFound(e)) {
                throw new StoreException(calls.describe(key) + ": its upload was aborted", gone);
            }
            throw calls.failure(e, Action.READ, key);
        } catch (SdkException e) {
            throw calls.failure(e, Action.READ, key);
        }
    }

    /** From now on this writer makes nothing visible. Any thread. */
    void fence() {
        completing.lock();
        try {
            fenced = true;
        } finally {
            completing.unlock();
        }
    }

    private void checkFence() throws IOException {
        if (fenced) {
            throw new StoreException(calls.describe(key) + ": its upload was aborted");
        }
    }

    @Override
    public void abort() throws IOException {
        fenced = true;
        close();
        if (uploadId.isPresent()) {
            calls.abortUpload(key, uploadId.get());
        }
    }

    @Override
    public void close() throws IOException {
        store.ended(this, key);
        buffer.close();
    }
}
