"""The one clear error that every public function promises for bad input."""

import pytest


def refused(name, error=(ValueError, TypeError)):
    """Expect an error that blames this argument, alone or among others, with what was expected and what came."""
    return pytest.raises(error, match=rf"^[^:]*\b{name}\b[^:]*: expected .*, got")
