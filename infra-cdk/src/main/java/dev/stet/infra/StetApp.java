package dev.stet.infra;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.util.Optional;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Environment;
import software.amazon.awscdk.StackProps;

/** What {@code cdk} runs; the name of the stack and everything in {@link Settings} come from context. */
public final class StetApp {
    private StetApp() {}

    public static void main(String[] args) {
        App app = new App();
        Settings settings;
        try {
            settings = Settings.of(name -> Optional.ofNullable(app.getNode().tryGetContext(name)));
        } catch (IllegalArgumentException e) {
            System.err.println("stet: " + e.getMessage() + " (docs/deploy.md lists all of them)");
            System.exit(1);
            return;
        }
        var _ = stack(
                app,
                Optional.ofNullable(app.getNode().tryGetContext("stackName"))
                        .map(String::valueOf)
                        .orElse("Stet"),
                environment(),
                settings,
                System.getProperty("stet.functions.jar", "../functions/target/stet-functions.jar"),
                "../statemachine");
        Aspects.of(app).add(new AwsSolutionsChecks());
        var _ = app.synth();
    }

    /** Account and region of the CLI's credentials. Without credentials it knows a region at most; then the stack is for any account. */
    private static Environment environment() {
        return Environment.builder()
                .account(System.getenv("CDK_DEFAULT_ACCOUNT"))
                .region(System.getenv("CDK_DEFAULT_REGION"))
                .build();
    }

    static StetStack stack(
            App app, String name, Environment environment, Settings settings, String functionsJar, String definitions) {
        StackProps props = StackProps.builder()
                .description("Stet: copies records between S3 layouts, byte for byte, each exactly once")
                .env(environment)
                .build();
        return new StetStack(app, name, props, settings, functionsJar, definitions);
    }
}
