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
from multiprocessing.connection import Connection
from pathlib import Path

from tools.grading import engines
from tools.grading.exchange import MOST_REPLY, PATIENCE, decode_reply, encode
from tools.grading.forbidden import copy_without_code

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CHILD_FILES = ("exchange.py", "forbidden.py", "run_submission.py", "read_submission.py")
READ_SECONDS = 3600  # wall-clock time: the zip of a whole class takes long
MOST_LINE, MOST_TOLD = 2**24, 2**26  # bytes that tell of one entry, and of all entries of a file
MOST_NOTEBOOKS = 20  # that one student hands in as one file
TOO_LARGE = [{"why": "too large to be read"}]
MORE = [{"why": f"more than {MOST_NOTEBOOKS} notebooks in one file: the others were not graded"}]
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
            with Sandbox(self, 30) as sandbox:
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

        The total number of notebooks and bytes is limited, unless `is_class(names of its entries)` says
        that it comes from many students: then each entry does.
        """
        found, is_unfinished, size = [], True, 0
        while is_unfinished:
            file.seek(0)
            arguments, before = [suffix, str(len(found))], len(found)
            with Process(self, ["-S", "read_submission.py"], arguments, READ_SECONDS, file) as process:
                names = json.loads(process.output.readline(MOST_LINE) or b"[]")
                most = MOST_NOTEBOOKS * (len(names) if is_class(names) else 1)
                for name, submissions, length in entries_told(process.output):
                    found.append((name, submissions[: MOST_NOTEBOOKS + 1]))
                    size += length
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
    """A process in the engine, limited to this many seconds of wall-clock time."""

    def __init__(self, course, script, arguments, seconds, stdin=subprocess.PIPE, folder=None):
        number, folder = next(numbers), folder or course.path
        self.engine, self.name = course.engine, f"grading-{os.getpid()}-{number}"
        self.work = tempfile.mkdtemp(dir=course.folder)
        user = engines.FIRST_USER + number % engines.USERS
        command = self.engine.command(folder, self.name, user)
        seen = self.engine.course or str(folder)
        self.process = subprocess.Popen(
            [*command, *script[:-1], f"{seen}/{script[-1]}", *arguments],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.work, start_new_session=True,
        )  # fmt: skip
        self.output = self.process.stdout
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
    """A process in which one submission runs: so many seconds of work, and `PATIENCE` as long by the clock.

    Where `lib` is forbidden, none of its code is within reach.
    """

    def __init__(self, course, seconds, forbids_lib=False):
        arguments = [str(int(seconds) + 1), "" if course.engine.course else ".", "yes" if forbids_lib else ""]
        folder = course.without_lib if forbids_lib else course.path
        super().__init__(course, ["run_submission.py"], arguments, PATIENCE * seconds, folder=folder)
        self.printed = self.left_out = 0
        self.requests = Connection(os.dup(self.process.stdin.fileno()), readable=False)
        self.replies = Connection(os.dup(self.process.stdout.fileno()), writable=False)

    def ask(self, do, seconds, **request):
        """What the process answers; a RuntimeError with its error, `ProcessDied` if it is gone or stays silent."""
        try:
            self.requests.send_bytes(encode({"do": do, "seconds": seconds, **request}))
            if not self.replies.poll(PATIENCE * seconds + 5):
                raise ProcessDied(f"stopped after {PATIENCE * seconds} s: an endless loop?")
            value, head = decode_reply(self.replies.recv_bytes(MOST_REPLY))
            error, self.printed, self.left_out = head.get("error"), int(head["printed"]), int(head["left_out"])
        except (EOFError, OSError):
            raise ProcessDied("it ended Python") from None
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, MemoryError):
            raise RuntimeError("what came back is no plain data") from None
        if isinstance(error, str):
            raise RuntimeError("".join(character for character in error[:200] if character.isprintable()))
        return value

    def close(self):
        super().close()
        self.requests.close()
        self.replies.close()
