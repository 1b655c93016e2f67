package dev.stet.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs in Python that tests use: installed once into the build directory, by versions and hashes. */
public final class PythonTool {
    private PythonTool() {}

    /**
     * Installs one unless it is there; its programs are in {@code venv/bin} then.
     *
     * @param requirements what pip takes with {@code --require-hashes}
     * @throws IOException saying why it cannot: no Python 3.10, no pip, no network
     */
    public static Path install(String name, byte[] requirements) throws IOException, InterruptedException {
        return Tools.install(name, requirements, home -> {
            Path list = Files.write(home.resolve("requirements.txt"), requirements);
            Tools.run(
                    home,
                    30,
                    "python3",
                    "-c",
                    "import sys; sys.exit(sys.version_info < (3, 10) and 'python3 is older than 3.10')");
            Tools.run(
                    home,
                    120,
                    "python3",
                    "-m",
                    "venv",
                    "--clear",
                    home.resolve("venv").toString());
            Tools.run(
                    home,
                    600,
                    home.resolve("venv/bin/pip").toString(),
                    "install",
                    "-q",
                    "--disable-pip-version-check",
                    "--require-hashes",
                    "-r",
                    list.toString());
        });
    }
}
