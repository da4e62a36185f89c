"""The one clear error that every public function promises for bad input."""

import pytest


def refused(name, error=(ValueError, TypeError)):
    """Expect an error that blames this argument, alone or among others, with what was expected and what came."""
    return pytest.raises(error, match=rf"^[^:]*\b{name}\b[^:]*: expected .*, got")


def refuses(*cases):
    """A test of a table: the name of an argument, and a call that is refused because of it."""

    @pytest.mark.parametrize("name, call", cases)
    def test(name, call):
        with refused(name):
            call()

    return test
