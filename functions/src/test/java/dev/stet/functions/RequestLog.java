package dev.stet.functions;

import dev.stet.asl.Failure;
import dev.stet.asl.Functions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.s3.model.S3Request;

/**
 * Notes every request to AWS that a function makes, as the permission it needs. The SDK puts it into every client of the tests; it notes nothing but what is done
 * inside {@link #as}, in whatever thread that starts.
 */
public final class RequestLog implements ExecutionInterceptor {
    private static final InheritableThreadLocal<Optional<String>> FUNCTION = new InheritableThreadLocal<>();
    private static final Set<Request> SEEN = ConcurrentHashMap.newKeySet();

    /**
     * A request.
     *
     * @param action of IAM
     * @param resource bucket, {@code bucket/*}, name of a table, ARN of a state machine or an execution
     * @param operation of the SDK
     */
    record Request(String function, String action, String resource, String operation) {}

    /** Is asked before each request of a function; what it throws, the client throws, and the request is not sent. */
    interface Weather {
        void before(String function, SdkRequest request);
    }

    private static volatile Weather weather = (function, request) -> {};

    static void during(Weather now) {
        weather = now;
    }

    /** Does something as a function. */
    static <T> T as(String function, Callable<T> work) throws Exception {
        FUNCTION.set(Optional.of(function));
        try {
            return work.call();
        } finally {
            FUNCTION.remove();
        }
    }

    /** Functions that each do what they do as themselves. */
    static Functions recorded(Functions functions) {
        return (name, payload) -> {
            try {
                return as(name, () -> functions.invoke(name, payload));
            } catch (Failure | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /** What other tests of this process did is not this one's. */
    static void begin() {
        SEEN.clear();
    }

    static Set<Request> seen() {
        return Set.copyOf(SEEN);
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        SdkRequest request = context.request();
        Optional.ofNullable(FUNCTION.get()).flatMap(f -> f).ifPresent(f -> unnoted(f, request));
        String operation = request.getClass().getSimpleName().replace("Request", "");
        for (Needed needed : needed(request, operation)) {
            note(needed.action, needed.resource, operation);
        }
    }

    /** Only who may list a bucket is told that an object is not there; others are refused. */
    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (context.httpResponse().statusCode() == 404 && context.request() instanceof S3Request s3) {
            String operation = s3.getClass().getSimpleName().replace("Request", "");
            if (operation.equals("HeadObject") || operation.equals("GetObject")) {
                note("s3:ListBucket", field(s3, "Bucket"), operation + " of what is absent");
            }
        }
    }

    /** What the weather itself asks of AWS is no function's. */
    private static void unnoted(String function, SdkRequest request) {
        FUNCTION.remove();
        try {
            weather.before(function, request);
        } finally {
            FUNCTION.set(Optional.of(function));
        }
    }

    private record Needed(String action, String resource) {}

    private static void note(String action, String resource, String operation) {
        Optional.ofNullable(FUNCTION.get())
                .flatMap(f -> f)
                .ifPresent(f -> SEEN.add(new Request(f, action, resource, operation)));
    }

    private static List<Needed> needed(SdkRequest request, String operation) {
        return switch (request) {
            case S3Request s3 -> List.of(s3(s3, operation));
            case TransactWriteItemsRequest all ->
                all.transactItems().stream().map(RequestLog::item).distinct().toList();
            case DynamoDbRequest one -> List.of(new Needed("dynamodb:" + operation, field(one, "TableName")));
            default ->
                List.of(new Needed(
                        "states:" + operation,
                        field(request, operation.equals("StartExecution") ? "stateMachineArn" : "executionArn")));
        };
    }

    private static Needed s3(S3Request request, String operation) {
        String bucket = field(request, "Bucket");
        String objects = bucket + "/*";
        return switch (operation) {
            case "GetObject", "HeadObject" -> new Needed("s3:GetObject", objects);
            case "PutObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload" ->
                new Needed("s3:PutObject", objects);
            case "AbortMultipartUpload", "DeleteObject" -> new Needed("s3:" + operation, objects);
            case "ListObjectsV2", "HeadBucket" -> new Needed("s3:ListBucket", bucket);
            case "ListMultipartUploads" -> new Needed("s3:ListBucketMultipartUploads", bucket);
            default -> new Needed("s3:" + operation, objects);
        };
    }

    private static Needed item(TransactWriteItem item) {
        if (item.put() != null) {
            return new Needed("dynamodb:PutItem", item.put().tableName());
        }
        if (item.update() != null) {
            return new Needed("dynamodb:UpdateItem", item.update().tableName());
        }
        if (item.delete() != null) {
            return new Needed("dynamodb:DeleteItem", item.delete().tableName());
        }
        return new Needed("dynamodb:ConditionCheckItem", item.conditionCheck().tableName());
    }

    private static String field(SdkRequest request, String name) {
        return request.getValueForField(name, String.class).orElse("");
    }
}
