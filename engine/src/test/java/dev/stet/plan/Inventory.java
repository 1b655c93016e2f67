package dev.stet.plan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An S3 Inventory in CSV, as S3 delivers it: quoted fields, percent-encoded keys, gzip, a manifest with MD5s. */
public final class Inventory {
    public static final String MANIFEST = "inventory/2021-10-05T00-00Z/manifest.json";

    private final ObjectNode manifest = JsonMapper.shared().createObjectNode();
    private final List<String> keys = new ArrayList<>();
    private final List<byte[]> files = new ArrayList<>();
    private final String bucket;

    /** Takes what is delivered. */
    public interface Target {
        void put(String key, byte[] bytes) throws IOException;
    }

    /** Of a bucket that keeps versions. */
    public Inventory(String bucket) {
        this.bucket = bucket;
        manifest.put("sourceBucket", bucket)
                .put("fileFormat", "CSV")
                .put("fileSchema", "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size");
        var _ = manifest.putArray("files");
    }

    /** A line of a current version. */
    public String line(String key, long size) {
        return line(key, true, false, Long.toString(size));
    }

    /** A line. @param size empty for delete markers */
    public String line(String key, boolean latest, boolean marker, String size) {
        return "\"%s\",\"%s\",\"v\",\"%s\",\"%s\",\"%s\""
                .formatted(bucket, URLEncoder.encode(key, StandardCharsets.UTF_8), latest, marker, size);
    }

    public Inventory file(List<String> lines) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String key = "inventory/data/" + keys.size() + ".csv.gz";
        keys.add(key);
        files.add(bytes.toByteArray());
        ((ArrayNode) manifest.get("files"))
                .addObject()
                .put("key", key)
                .put("size", bytes.size())
                .put("MD5checksum", md5(bytes.toByteArray()));
        return this;
    }

    /** For what is to be wrong with it. */
    public ObjectNode manifest() {
        return manifest;
    }

    /** The stored bytes of a file, for what is to be wrong with them. */
    public byte[] stored(int file) {
        return files.get(file);
    }

    public void deliver(Target target) throws IOException {
        for (int i = 0; i < keys.size(); i++) {
            target.put(keys.get(i), files.get(i));
        }
        target.put(MANIFEST, manifest.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String md5(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
