"""Stable names only disappear with an entry in the changelog."""

import pytest

from tests import promises


@pytest.fixture(scope="module")
def there():
    return promises.present()


def test_promised_names_exist_or_changelog_lists_removal(there):
    lost = promises.vanished(promises.stored(), there, promises.removed())
    assert lost == {}, "expected a line under Removed in CHANGELOG.md"


@pytest.mark.parametrize("kind", [kind.__name__ for kind in promises.KINDS])
def test_missing_name_is_detected(there, kind):
    name, *rest = there[kind]
    assert promises.vanished(there, there | {kind: rest}, set()) == {kind: [name]}
    assert promises.vanished(there, there | {kind: rest}, {name}) == {}


def test_only_removed_section_counts(tmp_path):
    parts = ["## [2]", "### Added", "- `a`", "### Removed", "- `b` (`c` now)", "## [1]", "### Changed", "- `d`"]
    (tmp_path / "CHANGELOG.md").write_text("\n".join(parts))
    assert promises.removed(tmp_path) == {"b", "c"}


def test_existing_name_is_kept_despite_removed_namesake():
    there = {"functions": ["lib.filters.bilateral"]}  # a module of that name was removed
    before = {"functions": ["lib.filters.bilateral", "lib.gone", "lib.lost"]}
    found = promises.kept(before, there, {"lib.filters.bilateral", "lib.gone"})
    assert found == {"functions": ["lib.filters.bilateral", "lib.lost"]}
