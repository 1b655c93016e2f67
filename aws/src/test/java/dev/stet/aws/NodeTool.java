package dev.stet.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Programs of Node.js that tests use: installed once into the build directory, by the versions and hashes of a {@code package-lock.json}. */
public final class NodeTool {
    private static final String LOCK = "package-lock.json";
    private static final String PACKAGE = "package.json";

    private NodeTool() {}

    /**
     * Installs one unless it is there; its programs are in {@code node_modules/.bin} then.
     *
     * @param folder holds package.json and package-lock.json
     * @throws IOException saying why it cannot: no npm, no network
     */
    public static Path install(String name, Path folder) throws IOException, InterruptedException {
        byte[] lock = Files.readAllBytes(folder.resolve(LOCK));
        return Tools.install(name, lock, home -> {
            Files.copy(folder.resolve(PACKAGE), home.resolve(PACKAGE), StandardCopyOption.REPLACE_EXISTING);
            Files.write(home.resolve(LOCK), lock);
            Tools.run(home, 300, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        });
    }
}
