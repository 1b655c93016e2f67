package dev.stet.registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs on this machine, each in a process with a session of its own: it survives whoever started it, and no key pressed at a terminal reaches it. What it
 * prints goes to files in the state folder.
 */
public final class LocalLauncher implements RunLauncher {
    /** How long a run may be without a process: the time between its row and the note of its process. */
    private static final Duration LAUNCHING = Duration.ofSeconds(60);

    private final Path folder;
    private final List<String> command;
    private final Runs runs;
    private final Clock clock;

    /** @param command what executes a run; the state folder and the run's id are appended */
    public LocalLauncher(Path folder, List<String> command, Runs runs, Clock clock) {
        this.folder = folder;
        this.command = List.copyOf(command);
        this.runs = runs;
        this.clock = clock;
    }

    /** Where what a run reports goes, a JSON object a line. */
    public static Path report(Path folder, String runId) {
        return folder.resolve("runs").resolve(runId + ".jsonl");
    }

    private static Path log(Path folder, String runId) {
        return folder.resolve("runs").resolve(runId + ".log");
    }

    @Override
    public void check(PipelineDefinition definition) {
        // Whatever the engine can read and write, this machine can.
    }

    @Override
    public void start(Run run) throws IOException, RegistryException {
        Path report = report(folder, run.runId());
        Files.createDirectories(folder.resolve("runs"));
        List<String> line = new ArrayList<>(newSession());
        line.addAll(command);
        line.add(folder.toString());
        line.add(run.runId());
        Process process = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(report.toFile())
                .redirectError(log(folder, run.runId()).toFile())
                .start();
        Run _ = runs.setWorker(run.runId(), new Worker(process.toHandle()).text());
    }

    /** Its process was started once; a second one would find the pipeline's state locked. */
    @Override
    public void startAgain(Run run) {}

    @Override
    public Optional<String> lost(Run run) throws IOException {
        if (run.worker().isEmpty()) {
            boolean launching =
                    Duration.between(run.startedAt(), clock.instant()).compareTo(LAUNCHING) < 0;
            return launching ? Optional.empty() : Optional.of("it was never started; start another");
        }
        return Worker.isAlive(run.worker().get())
                ? Optional.empty()
                : Optional.of("its process is gone" + lastWords(run.runId()) + "; the next run goes on from there");
    }

    private String lastWords(String runId) throws IOException {
        Path log = log(folder, runId);
        if (!Files.exists(log)) {
            return "";
        }
        return Files.readAllLines(log, StandardCharsets.UTF_8).stream()
                .filter(l -> !l.isBlank())
                .reduce((a, b) -> b)
                .map(l -> " (" + l + ")")
                .orElse("");
    }

    /** What makes a process the leader of a session of its own; macOS has no {@code setsid}, but Perl. */
    private static List<String> newSession() {
        for (String folder :
                Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin").split(":", -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, "setsid"))) {
                return List.of(Path.of(folder, "setsid").toString());
            }
        }
        return List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec @ARGV or die $!;", "--");
    }

    /** A process, known by its id and the time it began, since ids are used again. */
    private record Worker(ProcessHandle handle) {
        String text() {
            return handle.pid() + " " + began(handle);
        }

        static boolean isAlive(String text) throws IOException {
            long pid = Long.parseLong(text.substring(0, text.indexOf(' ')));
            Optional<ProcessHandle> handle = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
            return handle.isPresent()
                    && began(handle.get()).equals(text.substring(text.indexOf(' ') + 1))
                    && !isZombie(pid);
        }

        private static String began(ProcessHandle handle) {
            return handle.info().startInstant().map(Object::toString).orElse("?");
        }

        /** Dead, but nobody has asked how it ended; where the first process of a container never asks, it stays so. */
        private static boolean isZombie(long pid) throws IOException {
            Path stat = Path.of("/proc", Long.toString(pid), "stat");
            if (!Files.exists(stat)) {
                return false;
            }
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            int state = text.lastIndexOf(')') + 2;
            return state < text.length() && (text.charAt(state) == 'Z' || text.charAt(state) == 'X');
        }
    }
}
