package dev.stet.asl;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A state. {@code next}: the state that follows; empty: the end. */
sealed interface State {
    String name();

    /** Names of the states it may lead to. */
    List<String> targets();

    /** Whether an execution may end with it. */
    boolean ends();

    /** What becomes of a result. {@code resultPath} empty: it is dropped. */
    record Output(Optional<Template> resultSelector, Optional<Path> resultPath, Path outputPath) {}

    /** Calls that are repeated. Delays in seconds. */
    record Retrier(
            List<String> errors,
            double interval,
            int maxAttempts,
            double backoffRate,
            double maxDelay,
            boolean jitter) {}

    record Catcher(List<String> errors, Optional<Path> resultPath, String next) {}

    /** What a Task calls. */
    enum Resource {
        LAMBDA_INVOKE("arn:aws:states:::lambda:invoke"),
        START_EXECUTION_SYNC("arn:aws:states:::states:startExecution.sync:2");

        private final String arn;

        Resource(String arn) {
            this.arn = arn;
        }

        String arn() {
            return arn;
        }
    }

    record Task(
            String name,
            Resource resource,
            Template parameters,
            Output output,
            Optional<Integer> timeoutSeconds,
            List<Retrier> retriers,
            List<Catcher> catchers,
            Optional<String> next)
            implements State {
        @Override
        public List<String> targets() {
            return State.targets(next, catchers);
        }

        @Override
        public boolean ends() {
            return next.isEmpty();
        }
    }

    record Pass(
            String name, Optional<Template> parameters, Optional<JsonNode> result, Output output, Optional<String> next)
            implements State {
        @Override
        public List<String> targets() {
            return next.stream().toList();
        }

        @Override
        public boolean ends() {
            return next.isEmpty();
        }
    }

    record Wait(String name, int seconds, Optional<String> next) implements State {
        @Override
        public List<String> targets() {
            return next.stream().toList();
        }

        @Override
        public boolean ends() {
            return next.isEmpty();
        }
    }

    record Rule(Condition condition, String next) {}

    record Choice(String name, List<Rule> rules, Optional<String> otherwise) implements State {
        @Override
        public List<String> targets() {
            return java.util.stream.Stream.concat(rules.stream().map(Rule::next), otherwise.stream())
                    .toList();
        }

        @Override
        public boolean ends() {
            return false;
        }
    }

    record Succeed(String name, Path outputPath) implements State {
        @Override
        public List<String> targets() {
            return List.of();
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /** {@code error} and {@code cause} are texts or paths to texts. */
    record Fail(String name, Template texts) implements State {
        @Override
        public List<String> targets() {
            return List.of();
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /** A Distributed Map over the lines of an object, with Standard children; its results go to objects. */
    record DistributedMap(
            String name,
            Template reader,
            Template itemSelector,
            Template writer,
            int maxConcurrency,
            Optional<Double> toleratedPercentage,
            Optional<Integer> toleratedCount,
            Flow processor,
            Output output,
            List<Catcher> catchers,
            Optional<String> next)
            implements State {
        @Override
        public List<String> targets() {
            return State.targets(next, catchers);
        }

        @Override
        public boolean ends() {
            return next.isEmpty();
        }
    }

    private static List<String> targets(Optional<String> next, List<Catcher> catchers) {
        return java.util.stream.Stream.concat(next.stream(), catchers.stream().map(Catcher::next))
                .toList();
    }
}
