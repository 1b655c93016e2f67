"""What the scripts share: places, the corpus tool, running ./stet and killing it, reading ground truth.

The corpus tool (engine/src/test/java/dev/stet/corpus) is compiled with plain javac against the jar that ./stet has built: no Maven, no network.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
STET = os.path.join(ROOT, "stet")
BUILD = os.path.join(ROOT, ".stet-build")
JAR = os.path.join(BUILD, "stet.jar")
SOURCES = os.path.join(ROOT, "engine", "src", "test", "java", "dev", "stet", "corpus")

# File names of the corpus are not all ASCII.
ENV = dict(os.environ, LC_ALL="C.UTF-8")

_children = set()
_children_lock = threading.Lock()


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(1)


def java_home():
    found = subprocess.run(
        ["sh", "-c", '. "$1/.mvn/find-java.sh"; find_java 25 javac && printf %s "$java_home"', "sh", ROOT],
        stdout=subprocess.PIPE,
        text=True,
    )
    return found.stdout or fail("no JDK 25 or newer found")


def build():
    """Builds ./stet, so that no build is measured or killed, and the corpus tool."""
    subprocess.run([STET, "--version"], check=True, stdout=subprocess.DEVNULL)
    sources = sorted(
        os.path.join(SOURCES, f) for f in os.listdir(SOURCES) if f.endswith(".java") and not f.endswith("Test.java")
    )
    classes = os.path.join(BUILD, "corpus")
    newest = max(os.path.getmtime(f) for f in sources + [JAR])
    if not os.path.isdir(classes) or os.path.getmtime(classes) < newest:
        fresh = tempfile.mkdtemp(prefix="corpus-", dir=BUILD)
        javac = os.path.join(java_home(), "bin", "javac")
        subprocess.run([javac, "-nowarn", "-cp", JAR, "-d", fresh, *sources], check=True)
        os.chmod(fresh, 0o755)
        shutil.rmtree(classes, ignore_errors=True)
        os.rename(fresh, classes)
        os.utime(classes)
    global _corpus
    _corpus = [
        os.path.join(java_home(), "bin", "java"),
        "--enable-native-access=ALL-UNNAMED",
        "-Xmx1g",
        "-cp",
        classes + os.pathsep + JAR,
        "dev.stet.corpus.Main",
    ]


def corpus(*args):
    """Runs the corpus tool; (exit code, output)."""
    done = subprocess.run([*_corpus, *map(str, args)], env=ENV, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    return done.returncode, done.stdout


def make(out, truth, **options):
    """Makes an archive; returns the line that describes it."""
    flags = [x for k, v in options.items() for x in ("--" + k.replace("_", "-"), v)]
    # A truth that ends in .tsv is one file for all objects, otherwise a folder with one for each.
    rc, text = corpus(out, "--truth" if truth.endswith(".tsv") else "--truths", truth, *flags)
    return text.strip() if rc == 0 else fail(f"the corpus could not be made: {text}")


def compare(sink, truths, max_objects=None):
    """Differences of the sink from the sum of the truths: (none?, text)."""
    rc, text = corpus("compare", sink, *truths, *(["--max-objects", max_objects] if max_objects else []))
    return rc == 0, text.strip()


def truth_lines(truth, kind):
    """The lines of a ground truth of one kind, split."""
    with open(truth, encoding="utf-8") as f:
        return [fields[1:] for fields in (line.rstrip("\n").split("\t") for line in f) if fields[0] == kind]


def flags(truth):
    """The arguments of `stet copy` that the truth is of."""
    return [fields[0] for fields in truth_lines(truth, "flag")]


def start(args, out=subprocess.DEVNULL, err=subprocess.DEVNULL, env=None):
    """Starts a command in a session of its own."""
    process = subprocess.Popen(
        args, env=env or ENV, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
    )
    with _children_lock:
        _children.add(process)
    return process


def kill(process):
    """SIGKILL for the whole session of a command started here."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    with _children_lock:
        _children.discard(process)


def kill_all():
    with _children_lock:
        left = list(_children)
    for process in left:
        kill(process)


class Run:
    """A finished ./stet: exit code, standard output and error, seconds, peak resident memory in MiB."""

    def __init__(self, args, java_opts=None):
        env = dict(ENV, STET_JAVA_OPTS=java_opts) if java_opts else ENV
        began = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = start([STET, *args], out, err, env)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = time.monotonic() - began
            kill(process)
            out.seek(0), err.seek(0)
            self.out, self.err = out.read().decode("utf-8", "replace"), err.read().decode("utf-8", "replace")
        self.code, self.peak = process.returncode, usage.ru_maxrss / 1024

    @property
    def summary(self):
        """The last line of standard output, a JSON object (`--output json`)."""
        try:
            return json.loads(self.out.rstrip().splitlines()[-1])
        except (ValueError, IndexError):
            return {}

    def tell(self):
        return f"exit {self.code}; {self.err.strip()[-600:] or self.out.strip()[-600:] or 'no output'}"


def leftovers(sink):
    """What a run that ended normally may not leave in the sink."""
    return [d for d in os.listdir(sink) if d.startswith(".") or d.startswith("_") and d != "_quarantine"]
