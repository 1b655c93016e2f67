package dev.stet.cli;

import dev.stet.registry.Action;
import dev.stet.registry.RegistryException;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** The registry, here or elsewhere. */
interface RegistryClient extends AutoCloseable {
    ObjectNode call(Action action, ObjectNode request) throws RegistryException, IOException;

    @Override
    void close() throws IOException;
}
