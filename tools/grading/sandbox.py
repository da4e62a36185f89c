"""The grader's side of a submission's process: start it, send requests, end it."""

import compileall
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

from tools.grading import engines
from tools.grading.exchange import MOST_REPLY, PATIENCE, decode_reply, encode
from tools.grading.forbidden import copy_without_code
from tools.grading.meter import ASLEEP, CLOCK, ENDED, SAMPLE_SECONDS, Budget, Meter

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CHILD_FILES = ("exchange.py", "forbidden.py", "run_submission.py", "read_submission.py")
CLASS_SECONDS = 3600  # by the clock, to read the zip of a whole class
READ_SECONDS = 20  # of work, to read all that one student handed in as one file
START_SECONDS, GRACE_SECONDS = 60, 5
MOST_LINE, MOST_TOLD = 2**24, 2**26  # bytes that tell of one entry, and of all entries of a file
MOST_NOTEBOOKS = 20  # that one student hands in as one file
TOO_LARGE = [{"why": "too large to be read"}]
MORE = [{"why": f"more than {MOST_NOTEBOOKS} notebooks in one file: the others were not graded"}]
TOO_SLOW = [{"why": f"takes more than {READ_SECONDS} s to be read: the rest of it was not graded"}]
numbers = itertools.count()


class ProcessDied(Exception):
    """The submission's process ended without a reply."""


class Course:
    """The two folders that submissions may see, with `lib` and without its code, and what isolates them.

    Raises OSError where there is no engine.
    """

    def __init__(self, hidden=(), protected=True):
        self.folder = Path(tempfile.mkdtemp(prefix="grading-"))
        self.path, self.without_lib = self.folder / "course", self.folder / "without_lib"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "lib", self.path / "lib", ignore=ignored)
        copy_without_code(ROOT, self.without_lib)
        for path in (self.path, self.without_lib):
            for name in CHILD_FILES:
                shutil.copy(HERE / name, path)
            compileall.compile_dir(path, quiet=2)
            self.copy_fonts(path)
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
            with Sandbox(self, Budget(START_SECONDS, START_SECONDS)) as sandbox:
                return sandbox.ask("run", 20, source="pass") is None
        except (ProcessDied, OSError):
            return False

    @staticmethod
    def copy_fonts(folder):
        """Copy Matplotlib's list of fonts, which takes seconds to make and would be made in each process."""
        import matplotlib.font_manager

        (folder / "matplotlib").mkdir()
        for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
            shutil.copy(path, folder / "matplotlib")

    def read(self, file, suffix, is_class=lambda names: False):
        """The contents of an open file, from `read_submission.py`. An entry that crashes it affects no other.

        The notebooks, the bytes and the time of a file are limited, unless `is_class(names of its entries)` says
        that it comes from many students: then those of each entry are.
        """
        found, is_unfinished, size, budget = [], True, 0, Budget(READ_SECONDS, READ_SECONDS)
        while is_unfinished:
            file.seek(0)
            arguments, before = [suffix, str(len(found))], len(found)
            with Process(self, ["-S", "read_submission.py"], arguments, CLASS_SECONDS, budget, file) as process:
                names = json.loads(process.output.readline(MOST_LINE) or b"[]")
                from_many = is_class(names)
                most = MOST_NOTEBOOKS * (len(names) if from_many else 1)
                for name, submissions, length in entries_told(process.output):
                    found.append((name, submissions[: MOST_NOTEBOOKS + 1]))
                    size += length
                    process.meter.sample(may_sleep=True)
                    if not budget.left and not from_many:
                        return list(as_submissions(found)) + TOO_SLOW
                    if size > MOST_TOLD or sum(len(each) for _, each in found) > most:
                        return list(as_submissions(found[:-1])) + MORE
            is_unfinished = len(found) > before and found[-1][1] == TOO_LARGE
        if found and not any(submissions for _, submissions in found):
            return [{"why": "a zip without a notebook"}]
        return list(as_submissions(found)) or TOO_LARGE

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)


def entries_told(output):
    """The name, submissions and size of each entry that a reading process reports."""
    while (name := output.readline(MOST_LINE)).endswith(b"\n"):
        entry = output.readline(MOST_LINE)
        yield json.loads(name), json.loads(entry) if entry.endswith(b"\n") else TOO_LARGE, len(entry)


def as_submissions(found):
    """The submissions of the entries of a file, each with its entry and its path in the file."""
    for name, submissions in found:
        for each in submissions[:MOST_NOTEBOOKS]:
            inside = "/".join(filter(None, (name, each.get("inside"))))
            yield {**each, "entry": name, "inside": inside}
        if len(submissions) > MOST_NOTEBOOKS:
            yield {**MORE[0], "entry": name, "inside": name}


class Process:
    """A process in the engine, which charges a budget and ends after this many seconds by the clock."""

    def __init__(self, course, script, arguments, seconds, budget, stdin=subprocess.PIPE, folder=None):
        number, folder = next(numbers), folder or course.path
        self.engine, self.name, self.budget = course.engine, f"grading-{os.getpid()}-{number}", budget
        self.work = tempfile.mkdtemp(dir=course.folder)
        user = engines.FIRST_USER + number % engines.USERS
        command = self.engine.command(folder, self.name, user)
        seen = self.engine.course or str(folder)
        self.process = subprocess.Popen(
            [*command, *script[:-1], f"{seen}/{script[-1]}", *arguments],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.work, start_new_session=True,
        )  # fmt: skip
        self.output = self.process.stdout
        self.meter = Meter(self.process.pid, budget, is_visible=not self.engine.end)
        self.clock = threading.Timer(seconds, self.end)
        self.clock.start()

    def end(self):
        """End the process and all its children."""
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
    """A process in which one submission runs, as long as its file's budget lasts.

    Where `lib` is forbidden, none of its code is within reach.
    """

    def __init__(self, course, budget, forbids_lib=False):
        seconds = int(budget.left) + 1
        arguments = [str(seconds), "" if course.engine.course else ".", "yes" if forbids_lib else ""]
        folder = course.without_lib if forbids_lib else course.path
        super().__init__(course, ["run_submission.py"], arguments, PATIENCE * seconds, budget, folder=folder)
        self.printed = self.left_out = 0
        self.requests = Connection(os.dup(self.process.stdin.fileno()), readable=False)
        self.replies = Connection(os.dup(self.process.stdout.fileno()), writable=False)

    def ask(self, do, seconds, **request):
        """The response of the process. Raises its error as a RuntimeError, or `ProcessDied` without response."""
        try:
            self.requests.send_bytes(encode({"do": do, "seconds": seconds, **request}))
            self.wait(seconds)
            value, head = decode_reply(self.replies.recv_bytes(MOST_REPLY))
            error, self.printed, self.left_out = head.get("error"), int(head["printed"]), int(head["left_out"])
        except (EOFError, OSError):
            raise ProcessDied(ENDED) from None
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, MemoryError):
            raise RuntimeError("what came back is no plain data") from None
        if isinstance(error, str):
            raise RuntimeError("".join(character for character in error[:200] if character.isprintable()))
        return value

    def wait(self, seconds):
        """Wait for a reply while processor time, sleep and the clock allow it; raise `ProcessDied` then."""
        started, budget = time.monotonic(), self.budget
        self.meter.restart()
        used, slept = budget.used, budget.slept
        while not self.replies.poll(SAMPLE_SECONDS):
            self.meter.sample()
            if budget.used - used > seconds + GRACE_SECONDS or not budget.left:
                raise ProcessDied(f"stopped after {budget.used - used:.0f} s of work: an endless loop?")
            if budget.slept - slept > seconds:
                raise ProcessDied(ASLEEP)
            if time.monotonic() - started > PATIENCE * seconds + GRACE_SECONDS:
                raise ProcessDied(CLOCK)

    def close(self):
        super().close()
        self.requests.close()
        self.replies.close()
