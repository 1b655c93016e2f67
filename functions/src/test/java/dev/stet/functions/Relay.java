package dev.stet.functions;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands before a server and knows how many connections are open. */
final class Relay implements Closeable {
    private final URI server;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Relay(URI server) throws IOException {
        this.server = server;
        this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread _ = Thread.ofVirtual().start(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Connections that the client has not closed. */
    int open() {
        return open.size();
    }

    /** Waits until the client has closed all; its word may still be under way. */
    synchronized void awaitClosed() throws InterruptedException {
        while (!open.isEmpty()) {
            wait();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                open.add(client);
                Thread _ = Thread.ofVirtual().start(() -> pump(client, upstream, true));
                Thread _ = Thread.ofVirtual().start(() -> pump(upstream, client, false));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pump(Socket from, Socket to, boolean fromClient) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // The other side is gone.
        }
        if (fromClient) {
            synchronized (this) {
                open.remove(from);
                notifyAll();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
