package dev.stet.aws;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Makes the HTTP servers of the tests, on 127.0.0.1. They read their settings once in a JVM, so all are made here. */
public final class LocalHttp {
    private static final int BACKLOG = 1_000;

    static {
        // An answer goes out in two writes; without this the second waits for the acknowledgement of the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        // Beyond 200 it closes idle connections at once, which no service does: clients would meet one after the other.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
    }

    private LocalHttp() {}

    /** Not started yet. */
    public static HttpServer create() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
