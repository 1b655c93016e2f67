package dev.stet.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.aws_apigatewayv2_authorizers.HttpIamAuthorizer;
import software.amazon.awscdk.aws_apigatewayv2_authorizers.HttpJwtAuthorizer;
import software.amazon.awscdk.aws_apigatewayv2_integrations.HttpLambdaIntegration;
import software.amazon.awscdk.services.apigatewayv2.AddRoutesOptions;
import software.amazon.awscdk.services.apigatewayv2.ApiMapping;
import software.amazon.awscdk.services.apigatewayv2.CfnStage;
import software.amazon.awscdk.services.apigatewayv2.DomainName;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.apigatewayv2.HttpMethod;
import software.amazon.awscdk.services.apigatewayv2.HttpStage;
import software.amazon.awscdk.services.apigatewayv2.SecurityPolicy;
import software.amazon.awscdk.services.apigatewayv2.ThrottleSettings;
import software.amazon.awscdk.services.certificatemanager.Certificate;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.constructs.Construct;

/**
 * The registry over HTTPS: {@code POST /ACTION} for callers with AWS credentials, whose policies name routes, and {@code POST /jwt/ACTION} for tokens, whose scopes
 * name actions ({@code elt:ACTION}). A route has one kind of authorisation; one function stands behind both.
 */
final class Api extends Construct {
    static final List<String> ACTIONS = List.of(
            "CreatePipeline",
            "UpdatePipeline",
            "DescribePipeline",
            "ListPipelines",
            "DeletePipeline",
            "StartRun",
            "DescribeRun",
            "ListRuns",
            "StopRun",
            "ReportRun");

    private final HttpApi api;
    private final Optional<DomainName> domain;

    Api(Construct scope, String id, Settings settings, StetFunction registry) {
        super(scope, id);
        api = HttpApi.Builder.create(this, "Http")
                .apiName("elt")
                .description("The registry of Stet: pipelines and runs")
                .createDefaultStage(false)
                .disableExecuteApiEndpoint(false)
                .build();
        HttpLambdaIntegration integration = new HttpLambdaIntegration("Registry", registry.alias());
        HttpIamAuthorizer iam = new HttpIamAuthorizer();
        Optional<HttpJwtAuthorizer> jwt = settings.jwt()
                .map(j -> HttpJwtAuthorizer.Builder.create("Jwt", j.issuer())
                        .jwtAudience(j.audiences())
                        .build());
        for (String action : ACTIONS) {
            var _ = api.addRoutes(AddRoutesOptions.builder()
                    .path("/" + action)
                    .methods(List.of(HttpMethod.POST))
                    .integration(integration)
                    .authorizer(iam)
                    .build());
            jwt.ifPresent(j -> api.addRoutes(AddRoutesOptions.builder()
                    .path("/jwt/" + action)
                    .methods(List.of(HttpMethod.POST))
                    .integration(integration)
                    .authorizer(j)
                    .authorizationScopes(List.of("elt:" + action))
                    .build()));
        }
        HttpStage stage = stage();
        domain = settings.domain().map(d -> domain(d, stage));
    }

    private HttpStage stage() {
        // By that name it needs no line in the account's one policy for deliveries, which can be full.
        LogGroup logs = LogGroup.Builder.create(this, "Access")
                .logGroupName("/aws/vendedlogs/apis/" + Stack.of(this).getStackName())
                .retention(RetentionDays.THREE_MONTHS)
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
        HttpStage stage = HttpStage.Builder.create(this, "Stage")
                .httpApi(api)
                .stageName("$default")
                .autoDeploy(true)
                .throttle(
                        ThrottleSettings.builder().rateLimit(50).burstLimit(100).build())
                .build();
        if (stage.getNode().getDefaultChild() instanceof CfnStage raw) {
            raw.setAccessLogSettings(CfnStage.AccessLogSettingsProperty.builder()
                    .destinationArn(logs.getLogGroupArn())
                    .format(
                            "{\"requestId\":\"$context.requestId\",\"time\":\"$context.requestTime\",\"route\":\"$context.routeKey\","
                                    + "\"status\":\"$context.status\",\"caller\":\"$context.identity.userArn\",\"sub\":\"$context.authorizer.claims.sub\","
                                    + "\"error\":\"$context.error.message\"}")
                    .build());
        }
        return stage;
    }

    private DomainName domain(Settings.Domain wanted, HttpStage stage) {
        DomainName name = DomainName.Builder.create(this, "Domain")
                .domainName("elt." + Stack.of(this).getRegion() + "." + wanted.name())
                .certificate(Certificate.fromCertificateArn(this, "Certificate", wanted.certificateArn()))
                .securityPolicy(SecurityPolicy.TLS_1_2)
                .build();
        var _ = ApiMapping.Builder.create(this, "Mapping")
                .api(api)
                .domainName(name)
                .stage(stage)
                .build();
        return name;
    }

    /** What the stack tells: where the API answers and, with an own domain, what its DNS record must point to. */
    Map<String, String> outputs() {
        String url = api.getApiEndpoint();
        return domain.<Map<String, String>>map(
                        d -> Map.of("ApiUrl", "https://" + d.getName(), "ApiDomainTarget", d.getRegionalDomainName()))
                .orElseGet(() -> Map.of("ApiUrl", url));
    }

    HttpApi api() {
        return api;
    }
}
