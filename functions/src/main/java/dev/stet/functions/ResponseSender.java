package dev.stet.functions;

import java.io.IOException;
import java.net.URI;

/** Delivers answers to CloudFormation. */
interface ResponseSender {
    /** Puts a body. @throws IOException it has not arrived, or nobody knows */
    void send(URI to, String body) throws IOException;
}
