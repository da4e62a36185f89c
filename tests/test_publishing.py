"""What others run: the workflow that publishes, and the files from which Binder makes an image.

Neither service can be reached from here. The workflow's syntax is checked, its commands are targets that the tests
and the build use themselves, and Binder's steps are followed as far as pip goes.
"""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from conftest import ROOT

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf8"))
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_the_workflow_runs_only_targets_of_the_makefile():
    commands = [line for step in STEPS for line in step.get("run", "").splitlines()]
    targets = [command.split()[1] for command in commands if command.startswith("make ")]
    assert {"lint", "test", "offline", "raise", "chapters"} <= set(targets)
    for target in targets:
        done = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_workflow_publishes_the_built_site_from_the_configured_branch():
    branch = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["repository"]["branch"]
    assert WORKFLOW[True]["push"]["branches"] == [branch]  # YAML reads the word on as true
    pages = next(step for step in STEPS if "upload-pages-artifact" in step.get("uses", ""))
    assert pages["with"]["path"] == "_build/html"
    assert f"refs/heads/{branch}" in pages["if"] and "pull_request" in pages["if"]
    assert WORKFLOW["jobs"]["publish"]["needs"] == "test"


def test_the_workflow_may_write_only_where_it_publishes_or_reports():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    rights = {name: job.get("permissions", {}) for name, job in WORKFLOW["jobs"].items()}
    writing = {name: {key for key, value in each.items() if value == "write"} for name, each in rights.items()}
    may_write = {"publish": {"pages", "id-token"}, "upstream": {"issues"}}
    assert writing == {name: may_write.get(name, set()) for name in WORKFLOW["jobs"]}


def test_every_action_states_its_version():
    for step in STEPS:
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"])


def test_failures_leave_a_report():
    reports = [
        step for step in STEPS if step.get("if") == "failure()" and "upload-artifact" in step.get("uses", "")
    ]
    assert len(reports) == 2
    assert all("_build/report.xml" in step["with"]["path"] for step in reports)
    assert "--junitxml=_build/report.xml" in WORKFLOW["env"]["PYTEST_ADDOPTS"]


# Binder


def test_binder_takes_a_python_that_the_package_supports():
    version = re.fullmatch(r"python-(3\.\d+)", (ROOT / "runtime.txt").read_text("utf8").strip())[1]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    assert project["requires-python"] == f">={version}"


def test_binder_installs_the_package_and_nothing_large():
    lines = (ROOT / "requirements.txt").read_text("utf8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["-e ."]
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["dependencies"]
    assert {re.match(r"\w+", each)[0] for each in dependencies} == {
        "numpy",
        "matplotlib",
        "ipywidgets",
        "anywidget",
    }


@pytest.mark.skipif(os.name == "nt", reason="Binder's images are Linux")
def test_binders_last_step_runs():
    script = ROOT / "postBuild"
    assert os.access(script, os.X_OK)
    programs = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    subprocess.run([script], cwd=ROOT, check=True, env=os.environ | {"PATH": programs})
