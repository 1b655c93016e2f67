package dev.stet.infra;

import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.dynamodb.Attribute;
import software.amazon.awscdk.services.dynamodb.AttributeType;
import software.amazon.awscdk.services.dynamodb.BillingMode;
import software.amazon.awscdk.services.dynamodb.ITable;
import software.amazon.awscdk.services.dynamodb.PointInTimeRecoverySpecification;
import software.amazon.awscdk.services.dynamodb.Table;
import software.amazon.awscdk.services.dynamodb.TableEncryption;
import software.constructs.Construct;

/**
 * The table of ledgers and of the registry. Losing it would mean copying again under names that exist: so it is hard to lose. One that an earlier stack left, or a
 * restored one, is taken as it is.
 */
final class Ledger extends Construct {
    private static final String ID = "Table";

    private final ITable table;

    Ledger(Construct scope, String id, Settings.Storage storage) {
        super(scope, id);
        this.table = storage.table()
                .<ITable>map(name -> Table.fromTableName(this, ID, name))
                .orElseGet(() -> make(storage.retain()));
    }

    private Table make(boolean retain) {
        return Table.Builder.create(this, ID)
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
                .deletionProtection(retain)
                .removalPolicy(retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY)
                .build();
    }

    ITable table() {
        return table;
    }
}
