"""Publishing: the workflow, and the files from which Binder builds an image.

Neither service is reachable from the tests. The workflow's syntax is checked, its commands are Make targets that
the tests and the build use themselves, and Binder's steps are run as far as pip allows.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import pytest
import yaml

from _ext.course import public_address
from _ext.course.notebook_edition import BRANCH
from tests.conftest import ROOT
from tools.build.addresses import repository_address

WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf8"))
ACTION = yaml.safe_load((ROOT / ".github" / "actions" / "open_issue" / "action.yml").read_text("utf8"))
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_workflow_runs_only_make_targets():
    commands = [line for step in STEPS for line in step.get("run", "").splitlines()]
    targets = [command.split()[1] for command in commands if command.startswith("make ")]
    assert {"test", "test-variants", "test-fast", "test-oldest", "offline", "upgrade", "chapters"} <= set(targets)
    done = subprocess.run(["make", "--dry-run", *set(targets)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("job", ["publish", "notebooks", "release"])
def test_publishing_requires_variants_and_every_tested_version(job):
    assert set(WORKFLOW["jobs"][job]["needs"]) == {"test", "variants", "oldest", "versions"}


def test_readme_names_the_systems_of_the_version_matrix():
    """The job `test` runs on Linux with the Python of `.binder/runtime.txt`."""
    systems = {"ubuntu": "Linux", "macos": "macOS"}
    rows = WORKFLOW["jobs"]["versions"]["strategy"]["matrix"]["include"]
    tested = {(systems[row["system"].partition("-")[0]], row["python"]) for row in rows}
    readme = " ".join((ROOT / "README.md").read_text("utf8").split())
    (promised,) = re.findall(r"its package also with (.*?)\. ", readme + " ")
    parts = re.findall(r"((?:3\.\d+(?: and )?)+) on (\w+)", promised)
    assert {(system, version) for versions, system in parts for version in versions.split(" and ")} == tested


def shell(words):
    """Return the script of the step whose name contains `words`; as on GitHub's runners, it stops at errors."""
    (script,) = (step["run"] for step in STEPS if words in step.get("name", ""))
    return ["bash", "-e", "-c", script]


OWNER = "https://github.com/OWNER/course"


@pytest.mark.parametrize(
    "origin",
    ["https://github.com/ada/fork", "https://x:y@github.com/ada/fork.git", "git@github.com:ada/fork.git",
     "ssh://git@github.com/ada/fork"],
)  # fmt: skip
def test_fork_url_comes_from_ci_or_origin(tmp_path, monkeypatch, origin):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    git(tmp_path, "init", "--quiet")
    assert repository_address(OWNER, tmp_path) == OWNER
    git(tmp_path, "remote", "add", "origin", origin)
    assert repository_address(OWNER, tmp_path) == "https://github.com/ada/fork"
    assert repository_address("https://github.com/a/set", tmp_path) == "https://github.com/a/set"
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "eva/other")
    assert repository_address(OWNER, tmp_path) == "https://github.com/eva/other"


def test_fork_pages_and_notebooks_link_to_fork(monkeypatch):
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "eva/other")
    config = SimpleNamespace(html_theme_options={"repository_url": OWNER})
    app, context = SimpleNamespace(confdir=".", config=config), {"body": f"git clone {OWNER}"}
    public_address.find(app, config)
    public_address.show(app, "intro", "", context, None)
    assert context["body"] == "git clone " + "https://github.com/eva/other"
    assert config.html_theme_options["repository_url"] == "https://github.com/eva/other"


def git(folder, *arguments):
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_plain_notebooks_are_pushed_to_branch(tmp_path):
    remote, clone = tmp_path / "remote", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", remote)
    git(tmp_path, "clone", "--quiet", remote, clone)
    script = ".ci/notebooks_branch.sh"
    ignored = {"_build/notebooks/chapters/a.ipynb": "edition", "lib/figures/bundled/a.js": "bundle"}
    files = {"chapters/a.ipynb": "source", "lib.py": "code", ".gitignore": "_build/\nbundled/"} | ignored
    for name, text in files.items():
        (clone / name).parent.mkdir(exist_ok=True, parents=True)
        (clone / name).write_text(text)
    (clone / ".ci").mkdir()
    shutil.copy(ROOT / script, clone / script)
    git(clone, "add", "--all")
    git(clone, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first")
    main = git(clone, "rev-parse", "HEAD")
    for text in ("edition", "edition", "next edition"):  # the second run changes nothing
        git(clone, "checkout", "--quiet", main)
        for name, content in (ignored | {"_build/notebooks/chapters/a.ipynb": text}).items():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_text(content)
        subprocess.run(shell("Push the plain notebooks"), cwd=clone, check=True)
        assert git(remote, "show", f"{BRANCH}:chapters/a.ipynb") == text
        assert git(remote, "show", f"{BRANCH}:lib.py") == "code"
        assert git(remote, "show", f"{BRANCH}:lib/figures/bundled/a.js") == "bundle"
        assert "bundled" not in git(clone, "ls-tree", "-r", "--name-only", main)
        assert git(remote, "rev-parse", f"{BRANCH}^") == main
        assert "_build" not in git(remote, "ls-tree", "--name-only", BRANCH)


def test_pip_install_needs_no_node_with_bundles(tmp_path):
    """As on that branch, because Colab, Binder and Jupyter have only Python."""
    shutil.copytree(ROOT / "lib", tmp_path / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    target, environment = tmp_path / "installed", {"PATH": str(tmp_path)}
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target", target]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, tmp_path], check=True, env=environment)
    script = (
        "from lib import figures; print(figures.__file__, *(getattr(figures, name) for name in figures.__all__))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=target, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(target))


@pytest.mark.parametrize("number, asked", [("", "issue create --title A new"), ("7", "issue comment 7")])
def test_failed_job_opens_one_issue(tmp_path, number, asked):
    (tmp_path / "gh").write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ "$2" != list ] || echo "{number}"\n'
    )
    (tmp_path / "gh").chmod(0o755)
    (tmp_path / "work").mkdir()
    git(tmp_path / "work", "init", "--quiet")
    (tmp_path / "work" / "requirements-dev.txt").write_text("numpy==2.4.6\n")
    (step,) = ACTION["runs"]["steps"]
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TITLE": "A new release", "RUN": "https://run"}
    subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=tmp_path / "work", check=True, env=os.environ | environment
    )
    listing, writing = (tmp_path / "asked").read_text().splitlines()
    assert listing.startswith("issue list --state open") and "env.TITLE" in listing
    assert writing.startswith(asked)


def test_every_scheduled_job_reports_its_failure():
    scheduled = [job for job in WORKFLOW["jobs"].values() if job.get("if") == "github.event_name == 'schedule'"]
    reports = [step for job in scheduled for step in job["steps"] if "open_issue" in step.get("uses", "")]
    assert len(scheduled) == 3 and all(job["permissions"]["issues"] == "write" for job in scheduled)
    assert len({step["with"]["title"] for step in reports}) == 3
    assert {step["if"] for step in reports} == {"failure() || cancelled()"}


@pytest.mark.skipif(os.name == "nt", reason="Binder's images are Linux")
def test_binder_postbuild_runs():
    script = ROOT / ".binder" / "postBuild"
    assert os.access(script, os.X_OK)
    programs = os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    subprocess.run([script], cwd=ROOT, check=True, env=os.environ | {"PATH": programs})


def test_binder_versions_match_the_course():
    """Binder reads only this folder. Its Python is the oldest version that the package supports."""
    binder = ROOT / ".binder"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert (binder / "runtime.txt").read_text("utf8").strip() == f"python-{oldest}"
    assert oldest in {step["with"]["python-version"] for step in STEPS if "setup-python" in step.get("uses", "")}
    requirements = (binder / "requirements.txt").read_text("utf8").splitlines()
    assert [line for line in requirements if line and not line.startswith("#")] == ["-e ."]


def test_binder_installs_what_postbuild_imports():
    """Resolve the requirements with pip as Binder does, without installing."""
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--no-build-isolation", "--quiet"]
    report = [*pip, "--no-index", "--ignore-installed", "--report", "-", "-r", ".binder/requirements.txt"]
    done = subprocess.run(report, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (package,) = json.loads(done.stdout)["install"]
    names = {re.match(r"[\w-]+", needed)[0] for needed in package["metadata"]["requires_dist"]}
    assert names >= {"numpy", "matplotlib", "ipywidgets", "anywidget"}
