package dev.stet.infra;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.util.HashMap;
import java.util.Map;
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
            settings = Settings.of(context(app));
        } catch (IllegalArgumentException e) {
            System.err.println("stet: " + e.getMessage() + " (docs/deploy.md lists all of them)");
            System.exit(1);
            return;
        }
        var _ = stack(
                app,
                environment(),
                settings,
                System.getProperty("stet.functions.jar", "../functions/target/stet-functions.jar"),
                "../statemachine");
        Aspects.of(app).add(new AwsSolutionsChecks());
        var _ = app.synth();
    }

    /** All of it: what cdk.json and the command line say, and what the CDK adds. */
    private static Map<String, Object> context(App app) {
        Map<String, Object> context = new HashMap<>();
        if (app.getNode().getAllContext() instanceof Map<?, ?> all) {
            all.forEach((name, value) -> context.put(String.valueOf(name), value));
        }
        return context;
    }

    /** Account and region of the CLI's credentials. Without credentials it knows a region at most; then the stack is for any account. */
    private static Environment environment() {
        return Environment.builder()
                .account(System.getenv("CDK_DEFAULT_ACCOUNT"))
                .region(System.getenv("CDK_DEFAULT_REGION"))
                .build();
    }

    static StetStack stack(
            App app, Environment environment, Settings settings, String functionsJar, String definitions) {
        StackProps props = StackProps.builder()
                .description("Stet: copies records between S3 layouts, byte for byte, each exactly once")
                .env(environment)
                .build();
        return new StetStack(app, props, settings, functionsJar, definitions);
    }
}
