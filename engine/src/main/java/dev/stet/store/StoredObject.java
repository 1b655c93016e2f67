package dev.stet.store;

/** An object read back: its size in bytes and the CRC32C of all its bytes. What a writer compares its own with. */
public record StoredObject(long size, int crc32c) {}
