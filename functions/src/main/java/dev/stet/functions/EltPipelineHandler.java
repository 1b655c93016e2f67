package dev.stet.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.stet.config.ConfigException;
import dev.stet.registry.Contract;
import dev.stet.registry.Json;
import dev.stet.registry.RegistryException;
import dev.stet.registry.RegistryService;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Behind {@code Custom::EltPipeline}: CloudFormation's events become calls of the registry. Whatever happens, CloudFormation gets its answer, since it waits an hour
 * for one otherwise; only when the answer cannot be delivered does the invocation fail, so that the service repeats the event.
 */
public final class EltPipelineHandler implements RequestStreamHandler {
    private final EltPipelines pipelines;
    private final ResponseSender sender;
    private final Consumer<String> log;

    /** For Lambda. */
    public EltPipelineHandler() throws ConfigException {
        this(RegistryProcess.of(System.getenv())::service, new HttpResponseSender(), System.out::println);
    }

    /** @param registry asked at each event */
    EltPipelineHandler(Supplier<RegistryService> registry, ResponseSender sender, Consumer<String> log) {
        this.pipelines =
                new EltPipelines(registry, new ContractValues(Contract.load().document()));
        this.sender = sender;
        this.log = log;
    }

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        ObjectNode event = Json.ours(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        ResourceEvent request = ResourceEvent.of(event);
        ResourceAnswer answer = answer(request);
        log.accept("%s of %s: %s"
                .formatted(
                        request.type(),
                        request.logicalId(),
                        answer.refusal().map(r -> "refused: " + r).orElse("done")));
        sender.send(URI.create(request.responseUrl()), Json.text(answer.to(request)));
    }

    private ResourceAnswer answer(ResourceEvent request) {
        try {
            return switch (request.type()) {
                case "Create" -> pipelines.create(request);
                case "Update" -> pipelines.update(request);
                case "Delete" -> pipelines.delete(request);
                default -> refused(request, "a request of type " + request.type() + " is unknown");
            };
        } catch (RegistryException e) {
            return refused(request, e.text());
        } catch (IOException | RuntimeException | Error e) {
            log.accept("failed: " + Traces.of(e));
            return refused(
                    request,
                    "the registry failed, try again: "
                            + Optional.ofNullable(e.getMessage())
                                    .orElse(e.getClass().getSimpleName()));
        }
    }

    private static ResourceAnswer refused(ResourceEvent request, String why) {
        return ResourceAnswer.refused(request.physicalId().orElse(EltPipelines.notCreated(request)), why);
    }
}
