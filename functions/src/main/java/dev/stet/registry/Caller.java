package dev.stet.registry;

import java.util.Optional;
import java.util.Set;

/**
 * Who calls, proven.
 *
 * @param id access key id, or subject of the token
 * @param scopes what the token allows; empty: the caller was allowed by other means
 */
public record Caller(String id, Optional<Set<String>> scopes) {
    public Caller {
        scopes = scopes.map(Set::copyOf);
    }

    /**
     * Requires that the caller may do this.
     *
     * @throws RegistryException when the token does not say so
     */
    public void require(Action action) throws RegistryException {
        if (scopes.isPresent() && !scopes.get().contains(action.scope())) {
            throw new RegistryException(ErrorCode.AccessDenied, "the token does not have the scope " + action.scope());
        }
    }
}
