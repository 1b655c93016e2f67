package dev.stet.aws;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Names a test of a contract suite that this server, not the adapter, fails. The list stands on the class that runs the suite, each with its reason. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(CannotShow.List.class)
@ExtendWith(CannotShow.Condition.class)
@Inherited
public @interface CannotShow {
    /** Name of the test method. */
    String test();

    String because();

    /** Holds several. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @ExtendWith(Condition.class)
    @Inherited
    @interface List {
        CannotShow[] value();
    }

    /** Skips the named tests. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestMethod()
                    .flatMap(method -> java.util.Arrays.stream(
                                    context.getRequiredTestClass().getAnnotationsByType(CannotShow.class))
                            .filter(c -> c.test().equals(method.getName()))
                            .findFirst())
                    .map(c -> ConditionEvaluationResult.disabled("the server cannot show it: " + c.because()))
                    .orElseGet(() -> ConditionEvaluationResult.enabled(""));
        }
    }
}
