"""What keeps a submission's process apart from the rest of the machine, as far as the system offers it.

Linux: namespaces of its own, so that it sees no file but Python and the course's `lib`, no other process and no
network. macOS: a profile for `sandbox-exec`. Everywhere: limits of memory, time, processes and size of files.
Nothing here needs an installation. Only the standard library is used, and nothing but Linux is asked for Linux's.
"""

import ctypes
import os
import resource
import sys
from pathlib import Path

MEMORY, FILE_BYTES, DISK, PROCESSES = 4 * 2**30, 32 * 2**20, "64m", 64
NOBODY = 65534
NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000  # mount, name, ipc, process, network
OWN_USERS = 0x10000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE, DETACH = 1, 32, 4096, 16384, 1 << 18, 2
WAYS = {"linux": ("root", "user"), "darwin": ("profile",)}.get(sys.platform, ())  # best first

PROFILE = """(version 1)(allow default)(deny network*)(deny signal)(allow signal (target self))
(deny file-write*)(allow file-write* (subpath "{work}") (literal "/dev/null"))
(deny file-read-data (subpath "/Users") (subpath "{root}") (subpath "{folder}"))
(allow file-read* (subpath "{course}") (subpath "{work}") {python})"""


def python_folders():
    """Where Python and its packages are."""
    return list(dict.fromkeys([sys.base_prefix, sys.prefix]))


def profile(course, work, root, folder):
    """What a process may do under macOS."""
    paths = {"course": course, "work": work, "root": root, "folder": folder}
    paths = {name: os.path.realpath(path) for name, path in paths.items()}
    python = " ".join(f'(subpath "{os.path.realpath(path)}")' for path in python_folders())
    return PROFILE.format(**paths, python=python)


def call(name, *arguments):
    """Call a function of the C library; an OSError if it fails."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def separate(way):
    """Leave the namespaces of the machine; the next process that is forked lives in its own."""
    if way == "root":
        return call("unshare", NAMESPACES)
    user, group = os.getuid(), os.getgid()
    call("unshare", NAMESPACES | OWN_USERS)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def mount(source, target, flags=0, kind=None, options=None):
    encoded = [None if part is None else os.fsencode(part) for part in (source, target, kind, options)]
    call("mount", encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3])


def show(path, new_root, is_file=False):
    """Let a folder or a file be seen in the new root; folders only for reading."""
    target = Path(new_root + path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if os.path.islink(path) and path.count("/") == 1:  # /lib is a link to usr/lib
        return target.symlink_to(os.readlink(path))
    target.touch() if is_file else target.mkdir(exist_ok=True)
    mount(path, target, BIND | RECURSIVE)
    if not is_file:
        kept = os.statvfs(target).f_flag & 0b1110  # nosuid, nodev, noexec must stay
        mount(None, target, BIND | REMOUNT | READ_ONLY | kept)


def change_root(course, new_root):
    """See Python, its libraries and the course; all else, tests and other submissions too, is out of reach."""
    mount(None, "/", PRIVATE | RECURSIVE)
    mount("none", new_root, 0, "tmpfs", f"size={DISK},mode=755")
    system = [path for path in ("/usr", "/bin", "/lib", "/lib64", "/nix/store") if os.path.exists(path)]
    for path in dict.fromkeys([*system, *python_folders(), course]):
        if not Path(new_root + path).exists():
            show(path, new_root)
    files = ["/etc/ld.so.cache", *(f"/dev/{name}" for name in ("null", "zero", "random", "urandom"))]
    for path in filter(os.path.exists, files):
        show(path, new_root, is_file=True)
    Path(new_root, "tmp").mkdir(exist_ok=True)
    Path(new_root, "tmp").chmod(0o1777)
    os.chdir(new_root)
    call("pivot_root", b".", b".")
    call("umount2", b".", DETACH)


def drop_rights(way):
    """Become a user without rights, for good."""
    if way != "user":  # there it is the only user
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call("capset", header, nothing)
    call("prctl", 38, 1, 0, 0, 0)  # no new privileges


def limit(seconds):
    """Limits that hold on every system that knows them."""
    limits = {"AS": MEMORY, "FSIZE": FILE_BYTES, "CPU": seconds, "NPROC": PROCESSES, "CORE": 0, "NOFILE": 256}
    for name, most in limits.items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        except (AttributeError, ValueError, OSError):  # macOS has no limit of memory
            pass


def can_be_nobody(course):
    """Whether Python and the course can still be read as the user who owns nothing."""
    os.seteuid(NOBODY)
    try:
        return all(os.access(path, os.R_OK, effective_ids=True) for path in [*python_folders(), course])
    finally:
        os.seteuid(0)


def confine(way, course, work, seconds):
    """Confine this process, which `separate` was called for; it ends in a folder where it may write."""
    if way in ("root", "user"):
        change_root(course, work)
        work = "/tmp"
    os.chdir(work)
    if way in ("root", "user") or (os.getuid() == 0 and sys.platform == "linux" and can_be_nobody(course)):
        if way == "none":
            os.chown(work, NOBODY, NOBODY)
        drop_rights(way)
    limit(seconds)
    os.environ |= {"HOME": os.getcwd(), "TMPDIR": os.getcwd(), "IPYTHONDIR": os.getcwd()}
