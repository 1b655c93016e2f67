package dev.stet.cli;

import dev.stet.config.ConfigException;
import dev.stet.config.Setting;
import dev.stet.config.SettingValues;
import dev.stet.registry.RegistryApi;
import dev.stet.serve.Guard;
import dev.stet.serve.RegistryServer;
import dev.stet.serve.SignatureCheck;
import dev.stet.serve.TokenCheck;
import java.io.IOException;
import java.net.BindException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        sortOptions = false,
        header = "Serves the registry of this machine on 127.0.0.1, with the API that it has on AWS.",
        description = {
            "",
            "POST /{Action} takes AWS signatures (SigV4), checked against the credentials that this command runs with;",
            "POST /jwt/{Action} takes Bearer tokens of the issuer given.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  AWS_ACCESS_KEY_ID=me AWS_SECRET_ACCESS_KEY=secret stet serve --port 8080",
            "  stet serve --jwt-issuer https://issuer.example --jwt-audience elt --jwks keys.json",
            "  stet serve --no-auth"
        })
final class ServeCommand implements Callable<Integer> {
    private final Surroundings surroundings;
    private final Errors errors;

    @Option(names = "--port", paramLabel = "N", description = "Default: any that is free; it is printed.")
    Optional<String> port = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "The registry lies there; default: a folder of the user's.")
    Optional<String> state = Optional.empty();

    @Option(names = "--jwt-issuer", paramLabel = "ISS", description = "Take tokens of this issuer.")
    Optional<String> jwtIssuer = Optional.empty();

    @Option(names = "--jwt-audience", paramLabel = "AUD", description = "And for this audience.")
    Optional<String> jwtAudience = Optional.empty();

    @Option(names = "--jwks", paramLabel = "FILE|URL", description = "The issuer's public keys.")
    Optional<String> jwks = Optional.empty();

    @Option(names = "--no-auth", description = "Take calls of everyone on this machine.")
    boolean noAuth;

    @Option(names = "--debug", description = "Show the stack trace of an error.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This help.")
    boolean help;

    ServeCommand(Surroundings surroundings, Errors errors) {
        this.surroundings = surroundings;
        this.errors = errors;
    }

    @Override
    public Integer call() throws ConfigException, IOException {
        int wanted = port();
        Guard guard = guard();
        try (LocalRegistry registry = LocalRegistry.open(surroundings, state);
                RegistryServer server = start(
                        wanted, new RegistryApi(registry.service(), fault -> errors.report(fault, debug)), guard)) {
            CountDownLatch end = new CountDownLatch(1);
            try (Drain drain = new Drain(end::countDown)) {
                drain.arm();
                surroundings.out().println("listening on " + server.address());
                surroundings.out().flush();
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return ExitCode.OK;
    }

    private int port() throws ConfigException {
        String text = port.orElse("0");
        boolean digits = !text.isEmpty() && text.length() < 6 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || Integer.parseInt(text) > 65_535) {
            throw new Setting("--port").error(SettingValues.quote(text) + " is not a port (0 to 65535)");
        }
        return Integer.parseInt(text);
    }

    private static RegistryServer start(int port, RegistryApi api, Guard guard) throws IOException {
        try {
            return RegistryServer.start(port, api, guard);
        } catch (BindException e) {
            throw new IOException("port " + port + " is taken; choose another, or none: --port 0", e);
        }
    }

    private Guard guard() throws ConfigException {
        boolean tokens = jwtIssuer.isPresent() || jwtAudience.isPresent() || jwks.isPresent();
        if (noAuth) {
            if (tokens) {
                throw new Setting("--no-auth")
                        .error("takes everyone; leave out --jwt-issuer, --jwt-audience and --jwks");
            }
            return Guard.open();
        }
        Optional<TokenCheck> tokenCheck = tokens ? Optional.of(tokenCheck()) : Optional.empty();
        Optional<SignatureCheck> signatures = AwsKeys.find().map(k -> new SignatureCheck(k, Clock.systemUTC()));
        if (tokenCheck.isEmpty() && signatures.isEmpty()) {
            throw new ConfigException(
                    "nothing to check callers by: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give"
                            + " --jwt-issuer, --jwt-audience and --jwks, or --no-auth to take everyone on this machine");
        }
        return Guard.of(signatures, tokenCheck);
    }

    private TokenCheck tokenCheck() throws ConfigException {
        if (jwtIssuer.isEmpty() || jwtAudience.isEmpty() || jwks.isEmpty()) {
            throw new ConfigException("--jwt-issuer, --jwt-audience and --jwks belong together; give all three");
        }
        return TokenCheck.of(jwtIssuer.get(), jwtAudience.get(), jwks.get(), surroundings.workingDirectory());
    }
}
