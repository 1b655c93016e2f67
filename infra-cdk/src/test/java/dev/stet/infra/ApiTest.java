package dev.stet.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Routes of the registry. */
final class ApiTest {
    private static final String ROUTE = "AWS::ApiGatewayV2::Route";

    @Test
    void withoutAnIssuerThereAreTenRoutesForSignedRequestsAndNoneForTokens() {
        Template stack = Synthesis.template(Synthesis.PLAIN);
        Map<String, JsonNode> routes = stack.properties(ROUTE);
        assertThat(routes).hasSize(10);
        routes.forEach((id, r) -> {
            assertThat(r.path("RouteKey").stringValue("")).as(id).matches("POST /[A-Z]\\w+");
            assertThat(r.path("AuthorizationType").stringValue("")).as(id).isEqualTo("AWS_IAM");
        });
        assertThat(stack.properties("AWS::ApiGatewayV2::Authorizer")).isEmpty();
        assertThat(stack.properties("AWS::ApiGatewayV2::DomainName")).isEmpty();
    }

    @Test
    void withAnIssuerEachActionHasARouteForTokensWhoseScopeNamesIt() {
        Template stack = Synthesis.template(Synthesis.FULL);
        Map<String, JsonNode> routes = stack.properties(ROUTE);
        assertThat(routes).hasSize(20);
        for (String action : Api.ACTIONS) {
            JsonNode route = routes.values().stream()
                    .filter(r -> r.path("RouteKey").stringValue("").equals("POST /jwt/" + action))
                    .findFirst()
                    .orElseThrow();
            assertThat(route.path("AuthorizationType").stringValue("")).isEqualTo("JWT");
            assertThat(route.path("AuthorizationScopes").toString()).isEqualTo("[\"elt:" + action + "\"]");
        }
        JsonNode jwt =
                stack.only("AWS::ApiGatewayV2::Authorizer").path("Properties").path("JwtConfiguration");
        assertThat(jwt.path("Issuer").stringValue("")).isEqualTo("https://login.example.com/");
        assertThat(jwt.path("Audience").toString()).isEqualTo("[\"elt\"]");
    }

    @Test
    void theOwnDomainNamesTheRegion() {
        JsonNode domain = Synthesis.template(Synthesis.FULL)
                .only("AWS::ApiGatewayV2::DomainName")
                .path("Properties");
        assertThat(Template.text(domain.path("DomainName"))).isEqualTo("elt.eu-central-1.example.com");
        assertThat(domain.path("DomainNameConfigurations")
                        .get(0)
                        .path("SecurityPolicy")
                        .stringValue(""))
                .isEqualTo("TLS_1_2");
    }

    @Test
    void callsAreLoggedAndLimited() {
        JsonNode stage = Synthesis.template(Synthesis.PLAIN)
                .only("AWS::ApiGatewayV2::Stage")
                .path("Properties");
        assertThat(stage.path("AccessLogSettings").path("Format").stringValue(""))
                .contains("$context.routeKey");
        assertThat(stage.path("DefaultRouteSettings")
                        .path("ThrottlingRateLimit")
                        .intValue(0))
                .isPositive();
    }
}
