"""What slow functions returned is kept for the next build; no number is torn from its unit."""

from pathlib import Path
from types import SimpleNamespace

import kept
import pytest
from held_lines import TORN


def app_in(folder, key="one"):
    config = SimpleNamespace(course_site_key=key, nb_execution_cache_path="executed/two")
    return SimpleNamespace(outdir=folder / "html", config=config)


def test_what_is_kept_is_not_computed_again(tmp_path):
    calls = []

    def doubled(text):
        calls.append(text)
        return 2 * text

    for _ in range(2):
        assert kept.kept(app_in(tmp_path), doubled, b"a") == b"aa"
        assert kept.kept(app_in(tmp_path), doubled, b"b") == b"bb"
    assert calls == [b"a", b"b"]


def test_what_was_written_in_part_is_not_trusted(tmp_path, monkeypatch):
    def half(path, data):
        with path.open("wb") as file:
            file.write(data[:1])
        raise OSError("disk full")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="disk full"):
        patch.setattr(Path, "write_bytes", half)
        kept.kept(app_in(tmp_path), lambda: b"whole")
    assert kept.kept(app_in(tmp_path), lambda: b"whole") == b"whole"


def test_other_versions_compute_anew_and_what_they_left_is_deleted(tmp_path):
    assert kept.kept(app_in(tmp_path), lambda: b"old") == b"old"
    assert kept.kept(app_in(tmp_path, "new"), lambda: b"new") == b"new"
    kept.forget(app_in(tmp_path, "new"))
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["new-two"]


@pytest.mark.parametrize(
    "text, held",
    [
        ("90 % of it", "90~% of it"),
        ("10 000 000 keys", "10~000~000 keys"),
        ("2.4 dB at 3 × 3", "2.4~dB at 3~×~3"),
        ("0.36 σ", "0.36~σ"),
        ("15 min · ●○○", "15 min~· ●○○"),
        ("in 1964 two of 2005 pages", "in 1964 two of 2005 pages"),
        ("7 dBm and 5 1234", "7 dBm and 5 1234"),
    ],
)
def test_no_number_is_torn_from_its_unit(text, held):
    assert TORN.sub("~", text) == held
