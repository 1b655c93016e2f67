package dev.stet.asl;

import java.io.IOException;
import java.io.InputStream;

/** The S3 objects that a Map reads its items from and writes its results to. */
public interface ObjectFiles {
    InputStream read(String bucket, String key) throws IOException;

    void write(String bucket, String key, byte[] bytes) throws IOException;
}
