"""`make release-check` continues after a failure, and reports all failures at the end."""

import subprocess

import pytest

from tests.conftest import ROOT
from tools.edition import release_check


def test_every_check_runs_and_failures_are_reported(tmp_path, capsys):
    checks = {"good": "echo fine > made.txt", "bad": "echo no >&2; exit 3", "later": "cat made.txt"}
    (tmp_path / "work").mkdir()
    assert release_check.run(checks, tmp_path / "work", tmp_path / "reports") == ["bad"]
    said = {path.stem: path.read_text() for path in (tmp_path / "reports").glob("*.txt")}
    assert said == {"good": "", "bad": "no\n", "later": "fine\n"}
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["passed", "good"], ["FAILED", "bad"], ["passed", "later"],
    ]  # fmt: skip


def test_second_run_repeats_only_what_has_not_passed(tmp_path, capsys):
    checks, reports = {"good": "echo again >> made.txt", "bad": "exit $(cat code)"}, tmp_path / "reports"
    (tmp_path / "code").write_text("1")
    assert release_check.run(checks, tmp_path, reports) == ["bad"]
    (tmp_path / "code").write_text("0")
    assert release_check.run(checks, tmp_path, reports) == []
    assert (tmp_path / "made.txt").read_text() == "again\n"


def test_check_that_never_ends_fails_at_its_limit(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(release_check, "LIMIT", 0.1)
    assert release_check.run({"endless": "sleep 1000"}, tmp_path, tmp_path / "reports") == ["endless"]
    assert capsys.readouterr().out.startswith("LIMIT   endless")


def test_only_committed_state_is_checked(tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    source = tmp_path / "source"
    subprocess.run(["git", "init", "--quiet", source], check=True)
    (source / "committed.txt").write_text("1")
    subprocess.run([*git, "add", "--all"], cwd=source, check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "one"], cwd=source, check=True)
    (source / "new.txt").write_text("2")
    release_check.clone(source, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").glob("*.txt")] == ["committed.txt"]


def test_checks_run_make_targets():
    """Otherwise a renamed target would fail only after hours."""
    commands = " && ".join(release_check.CHECKS.values()).split(" && ")
    targets = {command.split()[1] for command in commands if command.startswith("make ")}
    done = subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_unknown_check_is_rejected():
    with pytest.raises(SystemExit, match="checks: expected some of serve, test, .* got tests"):
        release_check.main(["tests"])
