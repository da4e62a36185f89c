"""The grader's end of a submission's process: start it, ask it, end it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe
from pathlib import Path

from . import confine
from .exchange import MOST_BYTES, PATIENCE, decode, encode, is_plain

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CHILD_FILES = ("confine.py", "exchange.py", "run_submission.py")
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM")}
UNPROTECTED = (
    "This system does not let a submission be shut off: one could read the tests, use the network or stop the"
    " grading. Grade in a virtual machine, or in a container that may make namespaces."
)


class Ended(Exception):
    """The submission's process gave no answer, and is no more."""


class Course:
    """The folder that submissions see, and the best protection that this system offers."""

    def __init__(self, hidden):
        self.hidden = str(hidden)
        self.folder = Path(tempfile.mkdtemp(prefix="grading-"))
        self.folder.chmod(0o711)
        self.path = self.folder / "course"
        shutil.copytree(ROOT / "lib", self.path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        (self.path / "run").mkdir()
        for name in CHILD_FILES:
            shutil.copy(HERE / name, self.path / "run")
        self.copy_fonts()
        self.way = next((way for way in confine.WAYS if self.works(way)), "none")

    def copy_fonts(self):
        """Matplotlib's list of fonts: to make it takes seconds, and each process would make it anew."""
        import matplotlib.font_manager

        (self.path / "matplotlib").mkdir()
        for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
            shutil.copy(path, self.path / "matplotlib")

    def works(self, way):
        try:
            with Sandbox(self, way, 30) as sandbox:
                return sandbox.ask("run", 20, source="pass") is None
        except (Ended, OSError):
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


class Sandbox:
    """A process in which one submission runs: so many seconds of work, and `PATIENCE` as long by the clock."""

    def __init__(self, course, way, seconds):
        self.work = tempfile.mkdtemp(dir=course.folder)
        self.printed = 0
        self.connection, other = Pipe()
        arguments = [way, str(other.fileno()), str(course.path), self.work, str(int(seconds) + 1)]
        command = [sys.executable, "-s", "-B", str(course.path / "run" / "run_submission.py"), *arguments]
        if way == "profile":
            rules = confine.profile(course.path, self.work, ROOT, course.hidden)
            command = ["/usr/bin/sandbox-exec", "-p", rules, *command]
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "MPLBACKEND": "Agg", **THREADS}
        environment["MPLCONFIGDIR"] = str(course.path / "matplotlib")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.work,
            env=environment, pass_fds=[other.fileno()], start_new_session=True,
        )  # fmt: skip
        other.close()
        self.clock = threading.Timer(PATIENCE * seconds, self.hang_up)
        self.clock.start()

    def ask(self, do, seconds, **request):
        """What the process answers; a RuntimeError with its error, `Ended` if it is gone or stays silent."""
        try:
            self.connection.send_bytes(encode({"do": do, "seconds": seconds, **request}))
            if not self.connection.poll(PATIENCE * seconds + 5):
                raise Ended(f"stopped after {PATIENCE * seconds} s: an endless loop?")
            reply = decode(self.connection.recv_bytes(MOST_BYTES))
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

    def hang_up(self):
        """The parent of the process ends it when its standard input ends."""
        self.process.stdin.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the process and all that it started."""
        self.clock.cancel()
        self.hang_up()
        try:
            self.process.wait(60)  # it ends all that the submission started
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        self.connection.close()
        shutil.rmtree(self.work, ignore_errors=True)
