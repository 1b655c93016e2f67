package dev.stet.aws.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stet.ledger.Commit;
import dev.stet.ledger.Ledger;
import dev.stet.ledger.ManualClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Processes restored from one snapshot remember the same; what proves a write to be one's own must not follow from what they remember. */
final class TokensTest {
    private static final int SOME = 13; // characters of a random id that a counter leaves as they are

    private final FakeDynamoDb service = new FakeDynamoDb(Weather.calm());
    private final Set<String> beginnings = new TreeSet<>();

    @Test
    void noTokenOfADocumentsWriterFollowsFromTheOneBefore() throws Exception {
        Documents documents = new Documents(Ledgers.calls(service, "ledger"));
        for (int i = 0; i < 5; i++) {
            String id = "d" + i;
            assertThat(documents.write(List.of(new Documents.Put(id, 0, "{}")))).isEqualTo(Ledger.Outcome.APPLIED);
            note(Row.primaryKey(id, Row.binary(Row.utf8("document"))), "written_by");
        }
        assertThat(beginnings).hasSize(5);
    }

    @Test
    void noTokenOfALedgerFollowsFromTheOneBefore() throws Exception {
        ManualClock clock = new ManualClock();
        Ledger ledger = Ledgers.open(service, "ledger", "pipeline", "source", clock);
        CommitRows rows = new CommitRows(Ledgers.calls(service, "ledger"), "COMMIT#pipeline");
        for (int i = 0; i < 5; i++) {
            String id = "c" + i;
            assertThat(ledger.begin(Commit.uploading(id, "bundles/" + id, clock.millis() + 1, clock.millis())))
                    .isEqualTo(Ledger.Outcome.APPLIED);
            note(rows.keyOf(id), "begun_by");
        }
        assertThat(beginnings).hasSize(5);
    }

    private void note(Map<String, AttributeValue> key, String proof) {
        String token = service.getItem(r -> r.tableName("ledger").key(key).consistentRead(true))
                .item()
                .get(proof)
                .s();
        beginnings.add(token.substring(0, SOME));
    }
}
