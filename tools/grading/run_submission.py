"""Run a submission's cells and functions, as the grader asks for them over standard input and output.

The grader copies this file and starts it in a sandbox. Tests, solutions and points are not here. What is sent back
is what the submission computed, and a submission that takes this process over can only send other numbers.
"""

import builtins
import io
import os
import re
import resource
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = sys.argv[2] or "/tmp"
os.chdir(WORK)
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM")}
FOLDERS = dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR"), os.getcwd())
SETTINGS = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "student",
    "MPLBACKEND": "Agg",
    "PIP_NO_INDEX": "1",
}
os.environ |= {**THREADS, **FOLDERS, **SETTINGS, "MPLCONFIGDIR": str(HERE / "matplotlib")}

import forbidden  # noqa: E402
import numpy as np  # noqa: E402, here because NumPy reads the thread limits set above
from exchange import MOST_BYTES, PATIENCE, decode, encode, encode_reply, plain  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from traitlets.config import Config  # noqa: E402

MEMORY_BYTES, FILE_BYTES, PROCESSES = 4 * 2**30, 32 * 2**20, 64
IGNORED_MAGICS = (
    "pip",
    "conda",
    "matplotlib",
    "load_ext",
    "config",
)  # they set up a notebook and contain no answer

# A magic as IPython writes it in Python, and one that does nothing.
LINE_MAGIC, IGNORED = re.compile(r"run_line_magic\('(\w+)'"), "run_line_magic('ignored'"


class TookTooLong(BaseException):
    """Not an Exception, or a bare `except Exception` in a loop would swallow it."""


class Swallow(io.TextIOBase):
    """A standard output that only counts characters."""

    count, encoding, errors = 0, "utf-8", "strict"

    def write(self, text):
        self.count += len(text)
        return len(text)


def quiet_shell():
    """IPython, so that magics, `!` and `display` work as in a notebook."""
    config = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "NoColor"}})
    shell = InteractiveShell.instance(config=config)
    shell.system = shell.system_raw
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # nobody reads it, and it takes long
    shell.register_magic_function(lambda line: None, magic_name="ignored")

    def forgive(lines):
        """Replace a magic that sets up a notebook, or is unknown here, by one that does nothing."""
        known = lambda name: name not in IGNORED_MAGICS and shell.find_line_magic(name)
        return [LINE_MAGIC.sub(lambda call: call[0] if known(call[1]) else IGNORED, line) for line in lines]

    shell.input_transformers_post.append(forgive)
    return shell


def no_input(prompt=""):
    raise EOFError("input() has no answer while this is graded: write the value into the cell")


def described(error):
    """An error in one line."""
    try:
        name = "" if isinstance(error, forbidden.NotAllowed) else f"{type(error).__name__}: "
        return f"{name}{error}".splitlines()[0][:200]
    except Exception:
        return "an error without a message"


class Runner:
    """Answers the grader's requests, one by one."""

    def __init__(self, forbids_lib):
        self.shell, self.output = quiet_shell(), Swallow()
        self.shell.ast_transformers.append(forbidden.StatementByStatement(forbids_lib))
        sys.stdout = sys.stderr = self.output
        builtins.input = no_input

    def run(self, source):
        forbidden.missing.clear()
        self.shell.run_cell(source, store_history=False).raise_error()
        if forbidden.missing:
            raise forbidden.missing[0]

    def get(self, name):
        return plain(self.shell.user_ns[name])

    def student(self):
        found = self.shell.user_ns["student_id"]
        return str(found)[:100] if isinstance(found, (str, int)) and not isinstance(found, bool) else ""

    def call(self, name, arguments, keeps_arguments=False):
        before = encode(arguments)
        value = plain(self.shell.user_ns[name](*arguments))
        if keeps_arguments and encode(arguments) != before:
            raise forbidden.NotAllowed("it changes its arguments: work on a copy")
        return value

    def answer(self, request):
        """The reply to one request, within its CPU time; the wall-clock limit is longer, for code that sleeps."""
        seconds, value, error = request.pop("seconds"), None, None
        signal.setitimer(signal.ITIMER_PROF, seconds, 1)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds, 1)
        try:
            value = getattr(self, request.pop("do"))(**request)
        except BaseException as reason:  # also an exit
            error = described(reason)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
        return encode_reply(value, error=error, printed=self.output.count, left_out=len(forbidden.left_out))


def stop(*_):
    raise TookTooLong("it was stopped, because it took too long")


def limit(seconds):
    """Set the resource limits that the system supports."""
    limits = {
        "AS": MEMORY_BYTES,
        "FSIZE": FILE_BYTES,
        "CPU": seconds,
        "NPROC": PROCESSES,
        "CORE": 0,
        "NOFILE": 256,
    }
    for name, most in limits.items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        except (AttributeError, ValueError, OSError):  # macOS has no memory limit
            pass


def serve(requests, replies, forbids_lib):
    """Answer until the grader hangs up."""
    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)
    runner = Runner(forbids_lib)
    while True:
        try:
            replies.send_bytes(runner.answer(decode(requests.recv_bytes(MOST_BYTES))))
        except TookTooLong:  # it came a moment after the answer
            pass


def main(seconds, _, forbids_lib=""):
    requests, replies = Connection(os.dup(0), writable=False), Connection(os.dup(1), readable=False)
    nothing = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle)
    limit(int(seconds))
    sys.path[0] = str(HERE)
    np.random.default_rng()  # read the system's entropy once, before anything is replaced
    try:
        serve(requests, replies, bool(forbids_lib))
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
