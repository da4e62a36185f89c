"""The grader's end of a submission's process: start it, ask it, end it."""

import compileall
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from . import engines
from .exchange import MOST_BYTES, PATIENCE, decode, encode, is_plain

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CHILD_FILES = ("exchange.py", "run_submission.py", "read_submission.py")
READ_SECONDS = 3600  # by the clock: the zip of a class takes its time
MOST_LINE = 2**26  # bytes that tell of one entry
TOO_LARGE = [{"why": "too large to be read"}]
numbers = itertools.count()


class Ended(Exception):
    """The submission's process gave no answer, and is no more."""


class Course:
    """The folder that submissions see, and the engine that shuts them off. None there is an OSError."""

    def __init__(self, hidden=(), protected=True):
        self.folder = Path(tempfile.mkdtemp(prefix="grading-"))
        self.path = self.folder / "course"
        shutil.copytree(ROOT / "lib", self.path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        for name in CHILD_FILES:
            shutil.copy(HERE / name, self.path)
        compileall.compile_dir(self.path, quiet=2)
        self.copy_fonts()
        self.folder.chmod(0o755)
        self.engine = self.best([ROOT, *hidden]) if protected else engines.unprotected()

    def best(self, hidden):
        for engine in engines.candidates(hidden):
            if self.works(engine):
                return engine
        shutil.rmtree(self.folder)
        raise OSError(engines.MISSING)

    def works(self, engine):
        self.engine = engine
        try:
            with Sandbox(self, 30) as sandbox:
                return sandbox.ask("run", 20, source="pass") is None
        except (Ended, OSError):
            return False

    def copy_fonts(self):
        """Matplotlib's list of fonts: to make it takes seconds, and each process would make it anew."""
        import matplotlib.font_manager

        (self.path / "matplotlib").mkdir()
        for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
            shutil.copy(path, self.path / "matplotlib")

    def read(self, file, suffix):
        """What an open file holds, as `read_submission.py` tells. An entry that ends it costs no other entry."""
        found, is_ended = [], True
        while is_ended:
            file.seek(0)
            arguments = [suffix, str(len(found))]
            with Process(self, ["-S", "read_submission.py"], arguments, READ_SECONDS, file) as process:
                told = list(entries_told(process.output))
            found += told
            is_ended = bool(told) and told[-1][1] is TOO_LARGE
        inside = lambda name, each: {"inside": "/".join(filter(None, (name, each.get("inside"))))}
        submissions = [each | inside(name, each) for name, entry in found for each in entry]
        return submissions or ([{"why": "a zip without a notebook"}] if found else TOO_LARGE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


def entries_told(output):
    """The name and the submissions of each entry that a reading process tells."""
    while (name := output.readline(MOST_LINE)).endswith(b"\n"):
        entry = output.readline(MOST_LINE)
        yield json.loads(name), json.loads(entry) if entry.endswith(b"\n") else TOO_LARGE


class Process:
    """A process in the engine, for so many seconds by the clock."""

    def __init__(self, course, script, arguments, seconds, stdin=subprocess.PIPE):
        number = next(numbers)
        self.engine, self.name = course.engine, f"grading-{os.getpid()}-{number}"
        self.work = tempfile.mkdtemp(dir=course.folder)
        user = engines.FIRST_USER + number % engines.USERS
        command = self.engine.command(course.path, self.name, user)
        seen = self.engine.course or str(course.path)
        self.process = subprocess.Popen(
            [*command, *script[:-1], f"{seen}/{script[-1]}", *arguments],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.work, start_new_session=True,
        )  # fmt: skip
        self.output = self.process.stdout
        self.clock = threading.Timer(seconds, self.end)
        self.clock.start()

    def end(self):
        """End the process and all that it started."""
        if self.engine.end:
            subprocess.run([*self.engine.end, self.name], capture_output=True, check=False)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.clock.cancel()
        self.end()
        self.process.wait()
        for stream in filter(None, (self.process.stdin, self.process.stdout)):
            stream.close()
        shutil.rmtree(self.work, ignore_errors=True)


class Sandbox(Process):
    """A process in which one submission runs: so many seconds of work, and `PATIENCE` as long by the clock."""

    def __init__(self, course, seconds):
        work = "" if course.engine.course else "."
        super().__init__(course, ["run_submission.py"], [str(int(seconds) + 1), work], PATIENCE * seconds)
        self.printed = 0
        self.requests = Connection(os.dup(self.process.stdin.fileno()), readable=False)
        self.replies = Connection(os.dup(self.process.stdout.fileno()), writable=False)

    def ask(self, do, seconds, **request):
        """What the process answers; a RuntimeError with its error, `Ended` if it is gone or stays silent."""
        try:
            self.requests.send_bytes(encode({"do": do, "seconds": seconds, **request}))
            if not self.replies.poll(PATIENCE * seconds + 5):
                raise Ended(f"stopped after {PATIENCE * seconds} s: an endless loop?")
            reply = decode(self.replies.recv_bytes(MOST_BYTES))
            error, value = reply.get("error"), reply.get("value")
            self.printed = int(reply.get("printed", 0))
        except (EOFError, OSError):
            raise Ended("it ended Python") from None
        except (ValueError, TypeError, AttributeError, OverflowError, MemoryError):
            raise RuntimeError("what came back is no plain data") from None
        if isinstance(error, str):
            raise RuntimeError("".join(letter for letter in error[:200] if letter.isprintable()))
        if not is_plain(value):
            raise RuntimeError("what came back is no plain data")
        return value

    def close(self):
        super().close()
        self.requests.close()
        self.replies.close()
