"""Run a submission's cells and functions, as the grader asks for them, in a process that is confined first.

The grader copies this file and starts it. Tests, solutions and points are not here: what is sent back is what the
submission computed, and a submission that takes this process over can only send other numbers.
"""

import ctypes
import importlib
import os
import pkgutil
import select
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import confine
import numpy as np
from exchange import MOST_BYTES, PATIENCE, decode, encode, plain
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

IGNORED_MAGICS = ("pip", "conda", "matplotlib", "load_ext", "config")  # they set up a notebook, and answer nothing


class TookTooLong(BaseException):
    """Not an Exception, or a bare `except Exception` in a loop would swallow it."""


class NotAllowed(Exception):
    """A function was called that the question asks to write."""


class Swallow:
    """Standard output that only counts."""

    count = 0

    def write(self, text):
        self.count += len(text)
        return len(text)

    def flush(self):
        pass


def quiet_shell():
    """IPython, where magics and `display` mean what they mean in a notebook; commands of the system do nothing."""
    config = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "NoColor"}})
    shell = InteractiveShell.instance(config=config)
    shell.system = shell.getoutput = lambda *arguments, **options: None
    run_line_magic = shell.run_line_magic

    def forgiving(name, line, _stack_depth=1):
        try:
            return None if name in IGNORED_MAGICS else run_line_magic(name, line, _stack_depth=_stack_depth + 1)
        except UsageError:  # a magic that only another kind of notebook knows
            return None

    shell.run_line_magic = forgiving
    return shell


class Guard:
    """Replaces functions of `lib` by ones that refuse while a question asks to write them."""

    def __init__(self, packages):
        self.refused = ()
        for package in packages:
            module = importlib.import_module(package)
            for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{package}."):
                importlib.import_module(each.name)
        modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "lib"]
        found = [(module, name, value) for module in modules for name, value in vars(module).items()]
        for module, name, value in found:
            if callable(value) and self.is_of(value, packages):
                setattr(module, name, self.guarded(value))

    @staticmethod
    def is_of(function, packages):
        home = getattr(function, "__module__", None) or ""
        return any(f"{home}.".startswith(f"{package}.") for package in packages)

    def guarded(self, function):
        def refusing(*arguments, **options):
            if self.is_of(function, self.refused):
                raise NotAllowed(f"{function.__name__} of lib is not to be called here: write it yourself")
            return function(*arguments, **options)

        refusing.__name__, refusing.__doc__ = function.__name__, function.__doc__
        return refusing


def described(error):
    """An error in one line."""
    try:
        name = "" if isinstance(error, NotAllowed) else f"{type(error).__name__}: "
        return f"{name}{error}".splitlines()[0][:200]
    except Exception:
        return "an error without a message"


class Runner:
    """Answers the grader's requests, one by one."""

    def __init__(self):
        self.shell, self.output, self.guard = quiet_shell(), Swallow(), None
        sys.stdout = sys.stderr = self.output

    def prepare(self, packages):
        self.guard = Guard(packages)

    def run(self, source):
        self.shell.run_cell(source, store_history=False).raise_error()

    def get(self, name):
        return plain(self.shell.user_ns[name])

    def call(self, name, arguments):
        return plain(self.shell.user_ns[name](*arguments))

    def answer(self, request):
        """The reply to one request, within its seconds of work; the clock waits longer, for what sleeps."""
        seconds = request.pop("seconds")
        signal.setitimer(signal.ITIMER_PROF, seconds, 1)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds, 1)
        try:
            if self.guard:
                self.guard.refused = request.pop("without", ())
            return {"value": getattr(self, request.pop("do"))(**request)}
        except BaseException as error:  # also an exit
            return {"error": described(error)}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)


def stop(*_):
    raise TookTooLong("it was stopped, because it took too long")


def serve(connection):
    """Answer until the grader hangs up."""
    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)
    runner = Runner()
    while True:
        try:
            reply = runner.answer(decode(connection.recv_bytes(MOST_BYTES)))
            connection.send_bytes(encode(reply | {"printed": runner.output.count}))
        except TookTooLong:  # it came a moment after the answer
            pass


def follow(child):
    """Wait until the child ends or the grader hangs up, then end the child and what it left behind."""
    lives = True
    while lives and not select.select([0], [], [], 0.05)[0]:
        lives = not os.waitpid(child, os.WNOHANG)[0]
    waiting = [child] if lives else children()
    while waiting:
        for process in waiting:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        waiting = children()


def children():
    """The processes below this one, where the system tells them: orphans of its child come to it."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(number) for number in listed.read_text().split()] if listed.exists() else []


def main(way, handle, course, work, seconds):
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # this process becomes the parent of orphans below it
    if way in ("root", "user"):
        confine.separate(way)
    child = os.fork()
    if child:
        os.close(int(handle))
        return follow(child)
    sys.path.append(course)
    confine.confine(way, course, work, int(seconds))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    np.random.default_rng()  # reads the system's source of chance once, before anything is replaced
    try:
        serve(Connection(int(handle)))
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
