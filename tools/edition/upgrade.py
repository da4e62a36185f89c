"""Upgrade the pins of requirements-dev.txt to the newest compatible versions.

Without names, the packages that the chapters import are upgraded, otherwise the named ones. pip resolves the
versions. Run by `make upgrade`; then run `make test`, and commit the changes.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements-dev.txt"
PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[\w.!+-]+)", re.MULTILINE)
IMPORTED = ("numpy", "matplotlib", "ipywidgets", "anywidget")


def newest_versions(text, names):
    """Return the versions that pip would install if only the named packages were unpinned, by name."""
    keep = [match[0] for match in PIN.finditer(text) if match["name"] not in names]
    pip = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet")
    command = (*pip, "--dry-run", "--ignore-installed", "--report", "-", *names, *keep)
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    found = {item["metadata"]["name"].lower(): item["metadata"]["version"] for item in report["install"]}
    return {name: found[name.lower()] for name in names}


def raise_pins(text, versions):
    """Return the requirements with the given versions, by name."""
    return PIN.sub(lambda pin: f"{pin['name']}=={versions.get(pin['name'], pin['version'])}", text)


if __name__ == "__main__":
    before = REQUIREMENTS.read_text("utf8")
    after = raise_pins(before, newest_versions(before, sys.argv[1:] or IMPORTED))
    REQUIREMENTS.write_text(after, "utf8")
    changed = set(after.splitlines()) - set(before.splitlines())
    print("\n".join(sorted(changed)) if changed else "Everything is at its newest version already.")
