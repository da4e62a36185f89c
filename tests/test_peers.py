"""d2l loads without torchvision, and says what is missing."""

import sys
from pathlib import Path

import numpy as np
import pytest

from lib.peers import load_d2l


def test_d2l_loads_and_computes():
    d2l = load_d2l()
    queries, keys, values = (
        d2l.torch.ones(1, 1, 2),
        d2l.torch.zeros(1, 3, 2),
        d2l.torch.tensor([[[1.0], [2.0], [6.0]]]),
    )
    attention = d2l.DotProductAttention(dropout=0).eval()
    np.testing.assert_allclose(attention(queries, keys, values), [[[3.0]]], rtol=1e-6)


def test_stand_in_does_not_outlive_the_import():
    before = sys.modules.get("torchvision")
    load_d2l()
    assert sys.modules.get("torchvision") is before


@pytest.mark.parametrize("absent", ["torch", "d2l"])
def test_missing_package_is_one_sentence(monkeypatch, absent):
    for name in [name for name in sys.modules if name.split(".")[0] == "d2l"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, absent, None)
    requirement = (Path(__file__).parents[1] / "requirements-d2l.txt").read_text().splitlines()[-1]
    with pytest.raises(ImportError, match=f"expected d2l and PyTorch.*pip install --no-deps {requirement}"):
        load_d2l()
