"""The programs that isolate a submission from the machine: bubblewrap on Linux, or podman or docker.

Each is maintained by others, and is only started here. What runs in it can read Python with its packages, the
programs of the system, and one folder. It has no network, sees no other process, and has two small disks.
"""

import os
import platform
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

MEMORY_GIB, DISK_MIB, PROCESSES = 4, 64, 64
IMAGE = "kernel-regression-grading"
FIRST_USER, USERS = 60_001, 5_000  # one user per submission, so that process limits are separate
HERE = Path(__file__).parent
MISSING = (
    "Grading executes what students wrote, and finds nothing here to isolate it. Install bubblewrap 0.8 or newer"
    " (Linux, and Windows with WSL), or podman or docker (macOS, too). Or grade on a machine that you can throw"
    " away: .venv/bin/python -m tools.grading.grade FOLDER --unprotected"
)


class Engine(NamedTuple):
    """A way to start a submission's process: its command, the course's folder as it sees it, and how to end it."""

    name: str
    command: Callable  # (course folder, name, user) → the command, to which Python's arguments are appended
    course: str = "/course"
    end: tuple = ()  # a command to append the name to, if killing the process is not enough


def python_folders():
    """Where Python, its packages and the libraries of the system are."""
    own = [f"{sys.base_prefix}/{part}" for part in ("bin", "lib")] + [sys.prefix] * (sys.prefix != sys.base_prefix)
    system = ["/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/nix/store"]
    return [path for path in dict.fromkeys([*system, *own]) if os.path.isdir(path)]


def tree(root, course, hidden):
    """The bubblewrap options that mount the files below `root`."""
    made, options = set(), []

    def parents(path):
        for folder in reversed(Path(path).parents):
            if folder not in made and str(folder) != "/":
                made.add(folder)
                options.extend(["--perms", "755", "--dir", str(folder)])

    def show(source, target):
        parents(root + target)
        options.extend(["--ro-bind", source, root + target])

    def disk(target):
        options.extend(["--perms", "1777", "--size", str(DISK_MIB * 2**20), "--tmpfs", root + target])

    disk("/tmp")  # first, since Python or the course may lie in it
    folders = python_folders()
    for path in folders[:-1]:
        show(path, path)
    for path in hidden:  # the course or the submissions, if they are in one of these folders
        if any(Path(path).is_relative_to(folder) for folder in folders):
            options.extend(["--tmpfs", root + str(path)])
    show(folders[-1], folders[-1])  # the packages, which are often in the course's folder
    for path in ("/bin", "/lib", "/lib64"):
        if os.path.islink(path):
            options.extend(["--symlink", os.readlink(path), root + path])
        elif os.path.isdir(path):
            show(path, path)
    for path in filter(os.path.exists, ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts")):
        show(path, path)
    show(str(course), "/course")
    options.extend(["--dev", f"{root}/dev"])
    disk("/dev/shm")
    options.extend(["--remount-ro", f"{root}/dev"])
    return [*options, "--remount-ro", "/"]


# Its name for the filter; the numbers of shmget, memfd_create, add_key, request_key and keyctl; of flock,
# inotify_init (x86_64 alone), inotify_init1 and fanotify_init; that of socket; that of fcntl.
PROCESSORS = {
    "x86_64": (0xC000003E, (29, 319, 248, 249, 250, 73, 253, 294, 300), 41, 72),
    "aarch64": (0xC00000B7, (194, 279, 217, 218, 219, 32, 26, 262), 198, 25),
}
KINDS = (1, 2, 10, 16)  # families of sockets: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)  # commands of fcntl: locks, leases, notifications of a folder


def without_what_is_shared(course):
    """The start of a command whose option `--seccomp 9` forbids system calls that namespaces do not isolate.

    That is memory that persists without a mapping, the keys of a session, sockets that lead out of a virtual
    machine, and locks on the files that all sandboxes see. It is a Berkeley packet filter: each step jumps so many
    steps ahead if its test holds, and so many if it does not.
    """
    if platform.machine() not in PROCESSORS:
        return [], []
    system, calls, socket, fcntl = PROCESSORS[platform.machine()]
    load, equal, least, answer = 0x20, 0x15, 0x35, 0x06
    no = 8 + len(calls) + len(LOCKS) + len(KINDS)  # the index of the instruction that denies; the next one allows
    steps = [(load, 0, 0, 4), (equal, 0, no - 2, system), (load, 0, 0, 0), (least, no - 4, 0, 2**30)]
    steps += [(equal, no - place - 1, 0, call) for place, call in enumerate(calls, len(steps))]
    steps += [(equal, 0, 1 + len(LOCKS), fcntl), (load, 0, 0, 24)]  # its second argument
    steps += [(equal, no - place - 1, 0, lock) for place, lock in enumerate(LOCKS, len(steps))]
    steps += [(equal, 0, no - len(steps), socket), (load, 0, 0, 16)]
    steps += [(equal, no - place, 0, kind) for place, kind in enumerate(KINDS, len(steps))]
    steps += [(answer, 0, 0, 0x00050001), (answer, 0, 0, 0x7FFF0000)]
    path = Path(course, "filter")
    if not path.exists():
        path.write_bytes(b"".join(struct.pack("HBBI", *step) for step in steps))
    return ["sh", "-c", 'exec "$@" 9<"$0"', str(path)], ["--seccomp", "9"]


def bubblewrap(hidden):
    """The engine of bubblewrap. In a `chroot`, and with `--disable-userns`, no process can become root."""
    apart = ["pid", "net", "ipc", "uts", "cgroup-try"]
    apart = [f"--unshare-{name}" for name in apart] + ["--die-with-parent", "--new-session", "--clearenv"]
    python = [sys.executable, "-s", "-B"]

    def as_user(course, name, user):
        kept = ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
        start, filtered = without_what_is_shared(course)
        return [*limits(), *start, "bwrap", *apart, *filtered, *kept, *tree("", course, hidden), *python]

    def as_root(course, name, user):
        kept = ["--ro-bind", "/usr", "/usr", *(part for path in ("/lib", "/lib64") for part in linked(path))]
        rights = [part for name in ("SETUID", "SETGID", "SYS_CHROOT") for part in ("--cap-add", f"CAP_{name}")]
        step_down = ["/usr/sbin/chroot", f"--userspec={user}:{user}", "--groups=", "/sandbox"]
        files = tree("/sandbox", course, hidden)
        start, filtered = without_what_is_shared(course)
        command = [*limits(), *start, "bwrap", *apart, *filtered, *kept, *files, "--cap-drop", "ALL", *rights]
        return [*command, *step_down, *python]

    return Engine("bubblewrap", as_root if os.geteuid() == 0 else as_user)


def linked(path):
    """The options that mount a system folder under its own name."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind", path, path] if os.path.isdir(path) else []


@cache
def limits():
    """The systemd command that limits all processes of a submission together, if systemd runs."""
    command = ["systemd-run", "--scope", "--quiet", "--collect", *(["--user"] if os.geteuid() else [])]
    command += [f"-pMemoryMax={MEMORY_GIB}G", "-pMemorySwapMax=0", f"-pTasksMax={PROCESSES}", "--"]
    return command if shutil.which("systemd-run") and runs([*command, "true"]) else []


def container(program):
    """The engine of podman or docker."""

    def command(course, name, user):
        disk = f"/tmp:size={DISK_MIB}m,mode=1777"
        return [
            program, "run", "--rm", "--interactive", f"--name={name}", f"--user={user}:{user}", "--workdir=/tmp",
            "--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
            f"--tmpfs={disk}",
            f"--shm-size={DISK_MIB}m", f"--memory={MEMORY_GIB}g", f"--memory-swap={MEMORY_GIB}g",
            f"--pids-limit={PROCESSES}", "--ulimit=nofile=256:256", f"--volume={course}:/course:ro",
            IMAGE, "timeout", "--signal=KILL", "3600", "python3", "-s", "-B",
        ]  # fmt: skip

    return Engine(program, command, end=(program, "rm", "--force"))


def unprotected():
    """No engine at all."""
    return Engine("none", lambda course, name, user: [sys.executable, "-s", "-B"], "")


def runs(command, seconds=60):
    try:
        return subprocess.run(command, capture_output=True, timeout=seconds, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def has_image(program):
    """Whether the container image exists; the first call builds it, which needs the network."""
    if not runs([program, "info"]):
        return False
    if not runs([program, "image", "inspect", IMAGE]):
        print(f"Making the image {IMAGE} with {program}: some minutes, this once", flush=True)
        build = [program, "build", "--quiet", "--tag", IMAGE, "--file", HERE / "Containerfile", HERE.parents[1]]
        return subprocess.run(build, check=False).returncode == 0
    return True


def candidates(hidden):
    """The engines whose programs are installed, best first."""
    if shutil.which("bwrap"):
        yield bubblewrap(hidden)
    for program in ("podman", "docker"):
        if shutil.which(program) and has_image(program):
            yield container(program)
