package dev.stet.cli;

import dev.stet.serve.SignatureCheck.Keys;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** The AWS credentials that this process was given: properties, environment, profile. No service is asked for any. */
final class AwsKeys {
    private AwsKeys() {}

    static AwsCredentialsProvider given() {
        return AwsCredentialsProviderChain.of(
                SystemPropertyCredentialsProvider.create(),
                EnvironmentVariableCredentialsProvider.create(),
                ProfileCredentialsProvider.create());
    }

    /** Empty when there are none. */
    static Optional<Supplier<Keys>> find() {
        AwsCredentialsProvider chain = given();
        try {
            AwsCredentials _ = chain.resolveCredentials();
        } catch (SdkClientException e) {
            return Optional.empty();
        }
        return Optional.of(() -> keys(chain.resolveCredentials()));
    }

    private static Keys keys(AwsCredentials c) {
        return new Keys(
                c.accessKeyId(),
                c.secretAccessKey(),
                c instanceof AwsSessionCredentials s ? Optional.of(s.sessionToken()) : Optional.empty());
    }
}
