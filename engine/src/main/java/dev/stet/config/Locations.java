package dev.stet.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Reads sources and sinks as users write them. */
public final class Locations {
    private static final String S3 = "s3://";
    private static final String FILE = "file://";

    private Locations() {}

    /** A directory, {@code file:///DIRECTORY} or {@code s3://BUCKET[/PREFIX]}. */
    public static Location parse(String text, Path workingDirectory, Setting setting) throws ConfigException {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith(S3)) {
            String rest = text.substring(S3.length());
            int slash = rest.indexOf('/');
            String prefix = slash < 0 ? "" : rest.substring(slash + 1);
            return s3(
                    slash < 0 ? rest : rest.substring(0, slash),
                    prefix,
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    setting);
        }
        if (lower.startsWith(FILE + "/")) {
            return directory(text.substring(FILE.length()), workingDirectory, setting);
        }
        int scheme = text.indexOf("://");
        if (scheme > 0 && text.indexOf('/') == scheme + 1) {
            throw setting.error(SettingValues.quote(text) + " is neither a directory nor s3://BUCKET/PREFIX");
        }
        return directory(text, workingDirectory, setting);
    }

    public static Location s3(
            String bucket,
            String prefix,
            Optional<String> region,
            Optional<String> endpointUrl,
            boolean requesterPays,
            Setting setting)
            throws ConfigException {
        boolean odd = bucket.chars().anyMatch(c -> c <= ' ' || c > '~' || c == '/' || c == '?' || c == '#');
        if (bucket.isEmpty() || odd) {
            throw setting.error(SettingValues.quote(bucket) + " is not the name of a bucket");
        }
        return new Location.S3(bucket, prefix, region, endpointUrl, requesterPays);
    }

    public static Location directory(String text, Path workingDirectory, Setting setting) throws ConfigException {
        return new Location.Directory(path(text, workingDirectory, setting));
    }

    /** The path, absolute, without {@code .} and {@code ..}: two ways to write a folder name the same pipeline. */
    public static Path path(String text, Path workingDirectory, Setting setting) throws ConfigException {
        if (text.isEmpty()) {
            throw setting.error("the path is empty");
        }
        Path given;
        try {
            given = workingDirectory.resolve(text);
        } catch (InvalidPathException e) {
            throw setting.error(SettingValues.quote(text) + " is not a path");
        }
        Path path = given.getRoot();
        for (Path name : given) {
            path = step(path, name);
        }
        return path;
    }

    /** What this location is called where a name is needed: the last segment, or the bucket; empty for the root of a file system. */
    public static String lastSegment(Location location) {
        return switch (location) {
            case Location.Directory directory -> {
                Optional<Path> name = Optional.ofNullable(directory.path().getFileName());
                yield name.map(Path::toString).orElse("");
            }
            case Location.S3 s3 -> {
                int end = s3.prefix().length();
                while (end > 0 && s3.prefix().charAt(end - 1) == '/') {
                    end--;
                }
                int start = s3.prefix().lastIndexOf('/', end - 1) + 1;
                yield end == 0 ? s3.bucket() : s3.prefix().substring(start, end);
            }
        };
    }

    /** One step down a path. {@code ..} after a link leads to the parent of where it points, as in the file system. */
    private static Path step(Path path, Path name) {
        String text = name.toString();
        if (text.equals(".") || text.isEmpty()) {
            return path;
        }
        if (!text.equals("..")) {
            return path.resolve(name);
        }
        Path here = Files.isSymbolicLink(path) ? RealPaths.of(path) : path;
        return Optional.ofNullable(here.getParent()).orElse(here);
    }
}
