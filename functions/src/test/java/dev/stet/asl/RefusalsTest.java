package dev.stet.asl;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a definition may say; each refused text differs from one that is taken in one place. */
final class RefusalsTest {
    private static final String DEFINITION = """
            {"QueryLanguage": "JSONPath", "StartAt": "Call", "States": {
              "Call": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
                "Parameters": {"FunctionName": "${Name}", "Payload": {"id.$": "$.id"}},
                "Retry": [{"ErrorEquals": ["A"], "JitterStrategy": "FULL"}],
                "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Bad"}],
                "ResultPath": "$.called", "Next": "Which"},
              "Which": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "Each"}], "Default": "Good"},
              "Each": {"Type": "Map",
                "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSONL"},
                  "Parameters": {"Bucket": "b", "Key": "k"}},
                "ItemSelector": {"item.$": "$$.Map.Item.Value"},
                "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
                  "StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}},
                "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix": "p"}},
                "MaxConcurrency": 10, "ToleratedFailurePercentage": 5, "Next": "Good"},
              "Good": {"Type": "Succeed"},
              "Bad": {"Type": "Fail", "ErrorPath": "$.error.Error", "Cause": "why"}
            }}
            """;

    private static void read(String definition) {
        DefinitionReader.read("copy", definition, Map.of("Name", "f"));
    }

    @Test
    void takesWhatItKnows() {
        assertThatNoException().isThrownBy(() -> read(DEFINITION));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    "JSONPath"                    | "JSONata"                     | only JSONPath is known
                    "Type": "Succeed"             | "Type": "Parallel"            | Type that is not known: Parallel
                    "Type": "Succeed"             | "Type": "Succeed", "Foo": 1   | state 'Good' has what is not known: [Foo]
                    lambda:invoke"                | lambda:invoke.waitForTaskToken" | Resource that is not known
                    "FunctionName": "${Name}",    |                               | has [Payload], not [FunctionName, Payload]
                    "${Name}"                     | "${Nme}"                      | ${Nme}, for which nothing is given
                    "$.id"                        | "$.id[0]"                     | path that is not known
                    "$.id"                        | "States.UUID()"               | path that is not known
                    "ResultPath": "$.called"      | "ResultPath": "$$.called"     | writes into the context
                    "FULL"                        | "HALF"                        | JitterStrategy that is not known
                    "ErrorEquals": ["A"]          | "ErrorEquals": []             | no list with elements
                    ["States.ALL"]                | ["States.ALL", "A"]           | names States.ALL beside others
                    "NumericEquals"               | "NumericEqual"                | comparison that is not known
                    "NumericEquals": 1            | "NumericEquals": "1"          | comparison that is not known
                    "JSONL"                       | "CSV"                         | only JSONL is known
                    "DISTRIBUTED"                 | "INLINE"                      | only DISTRIBUTED is known
                    "STANDARD"                    | "EXPRESS"                     | only STANDARD is known
                    "ItemSelector"                | "ItemBatcher"                 | lacks 'ItemSelector'
                    "MaxConcurrency": 10,         |                               | lacks 'MaxConcurrency'
                    "MaxConcurrency": 10          | "MaxConcurrency": 10001       | not a number from 1.0 to 10000.0
                    "MaxConcurrency": 10          | "MaxConcurrency": 10, "Retry": [{"ErrorEquals": ["A"]}] | state 'Each' has what is not known: [Retry]
                    "ToleratedFailurePercentage": 5 | "ToleratedFailurePercentage": 101 | not a number from 0.0 to 100.0
                    "Default": "Good"             | "Default": "Best"             | leads to 'Best', which is no state
                    "End": true                   | "Next": "Good"                | leads to 'Good', which is no state
                    "End": true                   | "End": false                  | needs either 'Next' or 'End'
                    "Next": "Bad"                 | "Next": "Good"                | states that nothing leads to: [Bad]
                    "Cause": "why"                | "Cause": "why", "CausePath": "$.x" | needs either 'Cause' or 'CausePath'
                    "StartAt": "Call",            | "StartAt": "Call", "StartAt": "Call", | is no JSON
                    """)
    void refuses(String known, String other, String why) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> read(replaced(known, other == null ? "" : other)))
                .withMessageContaining(why);
    }

    private static String replaced(String known, String other) {
        int at = DEFINITION.indexOf(known);
        if (at < 0) {
            throw new IllegalArgumentException("the definition has no " + known);
        }
        return DEFINITION.substring(0, at) + other + DEFINITION.substring(at + known.length());
    }
}
