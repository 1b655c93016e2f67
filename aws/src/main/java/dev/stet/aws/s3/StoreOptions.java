package dev.stet.aws.s3;

import java.util.Optional;

/**
 * How objects are written.
 *
 * @param checksums send the full-object CRC32C and ask for it when reading back; off for servers that refuse it, whose objects are then read back whole
 * @param kmsKey encrypts with this KMS key (id, ARN or alias); empty: as the bucket says
 * @param alwaysUpload writes small objects as multipart uploads too, begun at {@link S3Store#create}: three requests instead of one, and {@link
 *     S3Store#abortUploads} then stops every writer of the key, also one in another process
 * @param storageClass as S3 spells it, for example {@code STANDARD_IA}; empty: the bucket's default
 */
public record StoreOptions(
        boolean checksums,
        boolean alwaysUpload,
        Optional<String> kmsKey,
        Optional<String> storageClass,
        PartSizes parts) {
    public static final StoreOptions DEFAULT =
            new StoreOptions(true, false, Optional.empty(), Optional.empty(), PartSizes.DEFAULT);

    public StoreOptions withoutChecksums() {
        return new StoreOptions(false, alwaysUpload, kmsKey, storageClass, parts);
    }

    public StoreOptions withUploadsOnly() {
        return new StoreOptions(checksums, true, kmsKey, storageClass, parts);
    }

    public StoreOptions withParts(PartSizes sizes) {
        return new StoreOptions(checksums, alwaysUpload, kmsKey, storageClass, sizes);
    }

    public StoreOptions withKmsKey(String key) {
        return new StoreOptions(checksums, alwaysUpload, Optional.of(key), storageClass, parts);
    }

    public StoreOptions withStorageClass(String name) {
        return new StoreOptions(checksums, alwaysUpload, kmsKey, Optional.of(name), parts);
    }
}
