"""The single clear error that every public function raises for invalid input."""

import pytest


def rejected(name, error=(ValueError, TypeError)):
    """Expect an error that names this argument and says what was expected and what was given."""
    return pytest.raises(error, match=rf"^[^:]*\b{name}\b[^:]*: expected .*, got")


def rejects(*cases):
    """Return a parametrized test over (argument name, call that must raise an error naming it)."""

    @pytest.mark.parametrize("name, call", cases)
    def test(name, call):
        with rejected(name):
            call()

    return test
