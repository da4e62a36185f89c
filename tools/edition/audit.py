"""Check the pinned packages for known vulnerabilities. Run by `make audit`.

    python -m tools.edition.audit [--required]

An unreachable database fails the audit only with `--required`, as in `make release-check`; in CI it is a warning.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ("pip-audit", "--no-deps", "--disable-pip", "--progress-spinner=off", "--format=json")
REQUIREMENTS = ("requirements-dev.txt", "requirements-d2l.txt", "requirements-node.txt")
JAVASCRIPT = ("npm", "audit", "--json")
TIMEOUT = 120  # seconds


def report(command):
    """Return a command's output as JSON, or {} if it could not reach its database."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT)
        return json.loads(done.stdout)
    except (FileNotFoundError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}


def python_findings(answer):
    """Return the findings in pip-audit's output, or None if it could check no package."""
    packages = answer.get("dependencies", [])
    if not any("vulns" in package for package in packages):
        return None
    return [f"{each['name']} {each['version']}: {v['id']}" for each in packages for v in each.get("vulns", [])]


def npm_findings(answer):
    """Return the findings in npm audit's output, or None if it had no database."""
    if "vulnerabilities" not in answer:
        return None
    return [f"{name}: {entry['severity']}" for name, entry in answer["vulnerabilities"].items()]


def main(is_required=False):
    pip_audit = Path(sys.executable).with_name(PYTHON[0])
    requirements = [part for name in REQUIREMENTS for part in ("--requirement", name)]
    answers = {
        "Python packages": python_findings(report((pip_audit, *PYTHON[1:], *requirements))),
        "JavaScript packages": npm_findings(report(JAVASCRIPT)),
    }
    for what, findings in answers.items():
        if findings is None:
            warning = "::warning::" if "GITHUB_ACTIONS" in os.environ else ""  # shown on the page of the run
            print(f"{warning}{what}: NOT AUDITED, the vulnerability database is unreachable")
        else:
            print(f"{what}: " + ("; ".join(findings) or "no known vulnerability"))
    return any(answers.values()) or (is_required and None in answers.values())


if __name__ == "__main__":
    sys.exit(main("--required" in sys.argv))
