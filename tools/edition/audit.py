"""Look for known vulnerabilities in what is pinned, where their lists can be reached. Run by `make audit`."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ("pip-audit", "--no-deps", "--disable-pip", "--progress-spinner=off", "--format=json")
REQUIREMENTS = ("requirements-dev.txt", "requirements-d2l.txt")
JAVASCRIPT = ("npm", "audit", "--json")
TIMEOUT = 120  # seconds


def report(command):
    """What a command wrote, as JSON; nothing when it could not ask."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT)
        return json.loads(done.stdout)
    except (FileNotFoundError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return {}


def python_findings(answer):
    """The findings in the answer of pip-audit; None if it knows of no package."""
    packages = answer.get("dependencies", [])
    if not any("vulns" in package for package in packages):
        return None
    return [f"{each['name']} {each['version']}: {v['id']}" for each in packages for v in each.get("vulns", [])]


def npm_findings(answer):
    """The findings in the answer of npm audit; None if it had no list."""
    if "vulnerabilities" not in answer:
        return None
    return [f"{name}: {entry['severity']}" for name, entry in answer["vulnerabilities"].items()]


def main():
    pip_audit = Path(sys.executable).with_name(PYTHON[0])
    requirements = [part for name in REQUIREMENTS for part in ("--requirement", name)]
    answers = {
        "Python packages": python_findings(report((pip_audit, *PYTHON[1:], *requirements))),
        "JavaScript packages": npm_findings(report(JAVASCRIPT)),
    }
    for what, findings in answers.items():
        if findings is None:
            print(f"{what}: not audited, the list of vulnerabilities is out of reach")
        else:
            print(f"{what}: " + ("; ".join(findings) or "no known vulnerability"))
    return any(answers.values())


if __name__ == "__main__":
    sys.exit(main())
