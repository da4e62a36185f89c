"""Installation of programs of the system: one after the other, and tried again after a failure.

A substitute for apt-get holds a lock as the real one does, and fails while it is held.
"""

import os
import subprocess
import sys
import threading

import pytest

from tests.conftest import ROOT
from tools.build import system_packages

APT_GET = """#!/bin/sh
cd "$(/usr/bin/dirname "$0")"
if ! /bin/mkdir lock 2>/dev/null; then
  echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt-get)" >&2
  exit 100
fi
/bin/sleep 0.3
for package; do :; done
echo "$package" >> log
case $package in bubblewrap) program=bwrap ;; *) program=$package ;; esac
[ -e broken ] || { echo > $program; /bin/chmod +x $program; }
/bin/rmdir lock
[ ! -e broken ] || { echo "E: Unable to locate package $package" >&2; exit 100; }
"""


@pytest.fixture
def machine(tmp_path):
    """A folder of programs with apt-get and sudo, and nothing else."""
    for name, text in {"apt-get": APT_GET, "sudo": '#!/bin/sh\nshift; exec "$@"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def start(machine, *names):
    """Start an installation as in CI."""
    environment = os.environ | {"PATH": str(machine), "CI": "true"}
    command = [sys.executable, "-m", "tools.build.system_packages", machine / f"stamp-{names[0]}", *names]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


def finish(process):
    """Return the exit status and the last line of a process's errors."""
    errors = process.communicate()[1]
    return process.returncode, (errors.splitlines() or [""])[-1]


linux = pytest.mark.skipif(sys.platform != "linux", reason="apt-get is a program of Linux")


@linux
def test_two_installers_wait_for_a_held_lock(machine):
    (machine / "lock").mkdir()  # a third process installs something
    (machine / "Xvfb").symlink_to("/bin/true")
    both = [start(machine, "bubblewrap"), start(machine, "firefox", "xvfb")]
    threading.Timer(1, (machine / "lock").rmdir).start()
    assert [finish(process) for process in both] == [(0, ""), (0, "")]
    expected = {"bwrap", "firefox-esr", "stamp-bubblewrap", "stamp-firefox"}
    assert expected <= {path.name for path in machine.iterdir()}


@linux
def test_failed_installation_leaves_no_stamp(machine):
    (machine / "broken").touch()
    status, line = finish(start(machine, "bubblewrap"))
    assert status == 1 and line.startswith("bubblewrap is missing, for grading: run `sudo apt-get")
    assert not (machine / "stamp-bubblewrap").exists()
    (machine / "broken").unlink()
    assert finish(start(machine, "bubblewrap")) == (0, "") and (machine / "stamp-bubblewrap").exists()
    log = (machine / "log").read_text()
    assert finish(start(machine, "bubblewrap")) == (0, "")
    assert (machine / "log").read_text() == log, "what is here is not installed again"


def test_user_without_rights_is_advised(machine, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(machine))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(system_packages, "must_be_here", lambda: False)
    assert not system_packages.main(machine / "stamp", "firefox", "bubblewrap")
    assert [line.split(" is")[0] for line in capsys.readouterr().err.splitlines()] == ["firefox", "bubblewrap"]
    assert not (machine / "stamp").exists() and not (machine / "log").exists()


def test_waiting_for_lock_ends_after_a_limit(machine, monkeypatch):
    monkeypatch.setenv("PATH", str(machine))
    monkeypatch.setattr(system_packages, "MINUTES", 0)
    (machine / "lock").mkdir()
    assert not system_packages.apt_get("install", "firefox-esr")
