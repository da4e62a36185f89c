"""Import of `d2l`, the package of Dive into Deep Learning, with which chapters 1 and 6 compare their results."""

import sys
from types import ModuleType

import pytest


def load_d2l():
    """Import `d2l.torch` without torchvision, of which CPU builds of PyTorch have no matching version.

    d2l imports it at module level but uses it only in functions that no test calls.
    """
    absent = [name for name in ("torchvision", "torchvision.transforms") if name not in sys.modules]
    sys.modules.update({name: ModuleType(name) for name in absent})
    try:
        return pytest.importorskip("d2l.torch")
    finally:
        for name in absent:
            del sys.modules[name]
