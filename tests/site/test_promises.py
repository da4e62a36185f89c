"""Stable names only disappear with an entry in the changelog."""

import pytest

from tests import promises


@pytest.fixture(scope="module")
def there():
    return promises.present()


def test_what_is_promised_is_there_or_said_to_be_removed(there):
    lost = promises.vanished(promises.stored(), there, promises.removed())
    assert lost == {}, "expected a line under Removed in CHANGELOG.md"


@pytest.mark.parametrize("kind", [kind.__name__ for kind in promises.KINDS])
def test_a_name_that_vanishes_is_noticed(there, kind):
    name, *rest = there[kind]
    assert promises.vanished(there, there | {kind: rest}, set()) == {kind: [name]}
    assert promises.vanished(there, there | {kind: rest}, {name}) == {}


def test_only_names_under_removed_count(tmp_path):
    parts = ["## [2]", "### Added", "- `a`", "### Removed", "- `b` (`c` now)", "## [1]", "### Changed", "- `d`"]
    (tmp_path / "CHANGELOG.md").write_text("\n".join(parts))
    assert promises.removed(tmp_path) == {"b", "c"}
