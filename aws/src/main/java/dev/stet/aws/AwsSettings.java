package dev.stet.aws;

import dev.stet.config.ConfigException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/**
 * Region and endpoint as the SDK's settings give them, found without asking any service: the SDK's own region chain would go on to the instance metadata
 * service, which must not be called when keys are set.
 */
public final class AwsSettings {
    private AwsSettings() {}

    /** The region of the configuration, else of the system properties and environment, else of the profile; empty where none says. */
    public static Optional<Region> region(Optional<String> configured) {
        return configured
                .map(Region::of)
                .or(AwsSettings::regionOfSettings)
                // Java's SDK does not read this one; the other SDKs and the AWS command line do.
                .or(() -> env("AWS_DEFAULT_REGION").map(Region::of));
    }

    private static Optional<Region> regionOfSettings() {
        try {
            return Optional.of(
                    new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                            .getRegion());
        } catch (SdkClientException e) {
            return Optional.empty();
        }
    }

    /**
     * The endpoint of the configuration, else the one that the SDK would use by its settings; empty where it is Amazon's own.
     *
     * @param service as in the settings' names: {@code S3}, {@code DYNAMODB}
     */
    public static Optional<URI> endpoint(String service, Optional<String> configured) throws ConfigException {
        Optional<String> found = configured;
        if (found.isEmpty() && !ignored()) {
            found = Stream.<Optional<String>>of(
                            property("aws.endpointUrl" + camelCase(service)),
                            env("AWS_ENDPOINT_URL_" + service),
                            property("aws.endpointUrl"),
                            env("AWS_ENDPOINT_URL"))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .or(() -> endpointOfProfile(service));
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(url(found.get()));
    }

    /** How often the SDK tries a call: its own setting, else {@code otherwise}. */
    public static int maxAttempts(int otherwise) {
        try {
            return SdkSystemSetting.AWS_MAX_ATTEMPTS.getIntegerValue().orElse(otherwise);
        } catch (IllegalStateException | NumberFormatException e) {
            return otherwise;
        }
    }

    private static Optional<String> endpointOfProfile(String service) {
        ProfileFile file = ProfileFile.defaultProfileFile();
        Optional<Profile> profile = file.profile(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow());
        Optional<String> ofService = profile.flatMap(p -> p.property("services"))
                .flatMap(name -> file.getSection("services", name))
                .flatMap(section -> section.property(service.toLowerCase(Locale.ROOT) + ".endpoint_url"));
        return ofService.or(() -> profile.flatMap(p -> p.property("endpoint_url")));
    }

    private static boolean ignored() {
        return env("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
                .or(() -> property("aws.ignoreConfiguredEndpointUrls"))
                .map(Boolean::parseBoolean)
                .orElse(false);
    }

    private static URI url(String text) throws ConfigException {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw new ConfigException("the endpoint '" + text + "' is no URL such as https://host:port");
    }

    private static String camelCase(String service) {
        return service.equals("DYNAMODB") ? "DynamoDb" : service;
    }

    private static Optional<String> env(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(v -> !v.isBlank());
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(v -> !v.isBlank());
    }
}
