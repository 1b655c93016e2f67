package dev.stet.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.events.EventPattern;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.events.targets.SqsQueue;
import software.amazon.awscdk.services.lambda.eventsources.SqsEventSource;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/**
 * Keeps copies current: S3 tells EventBridge of new objects, a rule puts them into a queue, a function takes them in batches. The source bucket's own notification
 * configuration is not touched, neither by a deployment nor by its removal; that it sends to EventBridge is switched on once by its owner (docs/deploy.md).
 */
final class Notifications extends Construct {
    /** A commit of one object costs as much as one of a thousand: events wait for company. */
    private static final Duration WINDOW = Duration.seconds(120);

    private static final int BATCH = 1_000;

    private final Queue queue;
    private final Queue dead;

    Notifications(Construct scope, String id, Settings settings, StetFunction function) {
        super(scope, id);
        dead = Queue.Builder.create(this, "Dead")
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true)
                .retentionPeriod(Duration.days(14))
                .build();
        queue = Queue.Builder.create(this, "Queue")
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true)
                // Longer than the function may take, so that no batch is handed out twice at once.
                .visibilityTimeout(Duration.minutes(90))
                .retentionPeriod(Duration.days(14))
                .deadLetterQueue(
                        DeadLetterQueue.builder().queue(dead).maxReceiveCount(5).build())
                .build();
        var _ = Rule.Builder.create(this, "Created")
                .description("New objects in the sources of Stet")
                .eventPattern(EventPattern.builder()
                        .source(List.of("aws.s3"))
                        .detailType(List.of("Object Created"))
                        .detail(Map.of("bucket", Map.of("name", settings.sources())))
                        .build())
                .targets(List.of(SqsQueue.Builder.create(queue).build()))
                .build();
        function.alias()
                .addEventSource(SqsEventSource.Builder.create(queue)
                        .batchSize(BATCH)
                        .maxBatchingWindow(WINDOW)
                        .reportBatchItemFailures(true)
                        .maxConcurrency(20)
                        .build());
    }

    Queue queue() {
        return queue;
    }

    Queue dead() {
        return dead;
    }
}
