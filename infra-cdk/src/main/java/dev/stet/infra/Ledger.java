package dev.stet.infra;

import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.dynamodb.Attribute;
import software.amazon.awscdk.services.dynamodb.AttributeType;
import software.amazon.awscdk.services.dynamodb.BillingMode;
import software.amazon.awscdk.services.dynamodb.PointInTimeRecoverySpecification;
import software.amazon.awscdk.services.dynamodb.Table;
import software.amazon.awscdk.services.dynamodb.TableEncryption;
import software.constructs.Construct;

/** The table of ledgers and of the registry. Losing it would mean copying again under names that exist: so it is hard to lose. */
final class Ledger extends Construct {
    private final Table table;

    Ledger(Construct scope, String id, Settings settings) {
        super(scope, id);
        this.table = Table.Builder.create(this, "Table")
                .partitionKey(Attribute.builder()
                        .name("pk")
                        .type(AttributeType.STRING)
                        .build())
                .sortKey(Attribute.builder()
                        .name("sk")
                        .type(AttributeType.BINARY)
                        .build())
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .encryption(TableEncryption.AWS_MANAGED)
                .pointInTimeRecoverySpecification(PointInTimeRecoverySpecification.builder()
                        .pointInTimeRecoveryEnabled(true)
                        .build())
                .deletionProtection(settings.retain())
                .removalPolicy(settings.retain() ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY)
                .build();
    }

    Table table() {
        return table;
    }
}
