"""`make audit` distinguishes findings from missing answers."""

import pytest

from tools.edition import audit

FINE = {"dependencies": [{"name": "numpy", "version": "2.4.6", "vulns": []}]}
BAD = {"dependencies": [{"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-1"}]}]}
UNKNOWN = {"dependencies": [{"name": "numpy", "skip_reason": "Dependency not found"}]}
NPM_BAD = {"vulnerabilities": {"left-pad": {"severity": "high"}}}


def test_audit_output_is_parsed_into_findings():
    python = [audit.python_findings(answer) for answer in (FINE, BAD, UNKNOWN, {})]
    assert python == [[], ["pillow 1.0: CVE-1"], None, None]
    npm = [audit.npm_findings(answer) for answer in ({"vulnerabilities": {}}, NPM_BAD, {"message": "405"}, {})]
    assert npm == [[], ["left-pad: high"], None, None]
    assert audit.report(("no-such-program",)) == audit.report(("echo", "offline")) == {}


@pytest.mark.parametrize("python, npm, status", [(FINE, {}, False), (BAD, {}, True), (UNKNOWN, NPM_BAD, True)])
def test_audit_fails_only_on_findings(monkeypatch, capsys, python, npm, status):
    monkeypatch.setattr(audit, "report", lambda command: npm if command[0] == "npm" else python)
    assert audit.main() is status
    is_partial = npm == {} or python is UNKNOWN
    assert ("NOT AUDITED" in capsys.readouterr().out) == is_partial
    assert audit.main(is_required=True) is (status or is_partial)


@pytest.mark.parametrize("ci, start", [({}, "Python"), ({"GITHUB_ACTIONS": "true"}, "::warning::Python")])
def test_unreachable_database_is_a_warning_in_ci(monkeypatch, capsys, ci, start):
    monkeypatch.setattr(audit, "report", lambda command: {})
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    for name, value in ci.items():
        monkeypatch.setenv(name, value)
    assert audit.main() is False
    assert capsys.readouterr().out.startswith(start)
