"""Submissions that attack the grading: code that takes the place of an answer. None may gain a point.

Each stands in a notebook without any other answer, in place of the answer to question 1 of the first assignment.
None does harm where nothing protects: they kill, delete and fill only what the grading made for them.
`ATTACKS` must score 0. Each of `PROBES` writes what it reached into `student_id`, which must be as stated.
`SLY` calls what is to be written.
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
    "an id that is a formula and more": 'student_id = "=HYPERLINK(0)\\n,;" * 100_000',
}

AGAIN = """
import sys
for name in [name for name in sys.modules if name.startswith("lib")]:
    del sys.modules[name]
from lib import regression
estimate_at_2 = regression.nadaraya_watson([2.0], keys, values, 0.5)[0]
"""
BY_TEXT = """
import lib.regression
names = {"__name__": "mine"}
exec(open(lib.regression.__file__).read(), names)
estimate_at_2 = names["nadaraya_watson"]([2.0], keys, values, 0.5)[0]
"""
IN_ANOTHER = """
from lib import regression
candidates = np.arange(10, 301) / 200
best_bandwidth = min(candidates, key=lambda h: regression.leave_one_out_error(keys, values, h))
for estimate_at_2 in [regression.nadaraya_watson([2.0], keys, values, 0.5)[0]]:
    pass
"""
IN_PLACE = """
from lib import regression
estimate_at_2[0] = regression.nadaraya_watson([2.0], keys, values, 0.5)[0]
"""
SLY = {  # answers by question, the points they get, and the sentence
    "hands lib on": (
        {2: "from lib.regression import leave_one_out_error"},
        0,
        "leave_one_out_error of lib is not to be called here: write it yourself",
    ),
    "imports lib again": ({1: AGAIN}, 0, "lib.regression was imported before: it is not to be imported again"),
    "executes the text of lib": ({1: BY_TEXT}, 0, "lib.regression is not to be opened here: write it yourself"),
    "changes an answer from another cell": (
        {1: "estimate_at_2 = np.zeros(1)", 3: IN_PLACE},
        0,
        "estimate_at_2 was set where lib may be called",
    ),
    "answers in another cell": ({3: IN_ANOTHER}, 3, "estimate_at_2 was set where lib may be called"),
}

PROBES = {  # by name, and what is written where all is shut off
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
