package dev.stet.aws.s3;

import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.Transition;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Which lifecycle rules would take staged objects away. */
final class LifecycleRules {
    private static final Set<TransitionStorageClass> UNREADABLE =
            Set.of(TransitionStorageClass.GLACIER, TransitionStorageClass.DEEP_ARCHIVE);

    private LifecycleRules() {}

    /** What the rule does to objects of the folder that makes them unreadable, to be put into a sentence; empty where it does nothing of the kind. */
    static Optional<String> harm(LifecycleRule rule, String folder) {
        String prefix = prefix(rule);
        boolean overlaps = folder.startsWith(prefix) || prefix.startsWith(folder);
        if (rule.status() != ExpirationStatus.ENABLED || !overlaps || onlyTagged(rule)) {
            return Optional.empty();
        }
        String named = rule.id() == null || rule.id().isEmpty() ? "" : "('" + rule.id() + "') ";
        String where = prefix.isEmpty() ? "all objects" : "the objects under " + prefix;
        LifecycleExpiration expiration = rule.expiration();
        if (expiration != null && expiration.days() != null) {
            return Optional.of(named + "expires " + where + " after " + days(expiration.days()));
        }
        if (expiration != null && expiration.date() != null) {
            return Optional.of(named + "expires " + where + " on a date");
        }
        return rule.transitions().stream()
                .filter(t -> UNREADABLE.contains(t.storageClass()))
                .findFirst()
                .map(t -> named + "archives " + where + after(t));
    }

    private static String after(Transition transition) {
        return transition.days() == null ? "" : " after " + days(transition.days());
    }

    private static String days(int n) {
        return n == 1 ? "1 day" : n + " days";
    }

    /** In the filter, in the filter's conjunction, or, as rules of old have it, in the rule. */
    private static String prefix(LifecycleRule rule) {
        LifecycleRuleFilter filter = rule.filter();
        return Optional.ofNullable(filter)
                .map(LifecycleRuleFilter::prefix)
                .or(() -> Optional.ofNullable(filter)
                        .map(LifecycleRuleFilter::and)
                        .map(and -> and.prefix()))
                .or(() -> rule.getValueForField("Prefix", String.class))
                .orElse("");
    }

    /** Staged objects carry no tags. */
    private static boolean onlyTagged(LifecycleRule rule) {
        LifecycleRuleFilter filter = rule.filter();
        return filter != null
                && (filter.tag() != null
                        || (filter.and() != null && filter.and().hasTags()));
    }
}
