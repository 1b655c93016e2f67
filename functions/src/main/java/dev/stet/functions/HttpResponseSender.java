package dev.stet.functions;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Puts answers to presigned URLs. Their signature covers no content type, so none is sent. */
final class HttpResponseSender implements ResponseSender {
    private static final int TRIES = 4;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Override
    public void send(URI to, String body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(to)
                .timeout(LONGEST)
                .PUT(BodyPublishers.ofString(body))
                .build();
        // One for each answer: a snapshot must hold no connection.
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(LONGEST)
                .build()) {
            for (int i = 1; ; i++) {
                try {
                    HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
                    if (response.statusCode() / 100 == 2) {
                        return;
                    }
                    throw new IOException(
                            "CloudFormation's address for answers says " + response.statusCode() + ": " + to.getHost());
                } catch (IOException e) {
                    if (i == TRIES) {
                        throw e;
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted");
                }
            }
        }
    }
}
