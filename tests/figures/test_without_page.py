"""Every figure without a page, in Node: its link repeats its settings. The figures' own tests compare numbers."""

import re

import numpy as np
import pytest

from lib.figures import head_map_figure
from lib.heads import keys_for_90_percent
from tests.figures.contract import FIGURES, made
from tests.without_page import described, opened, states

WITH_CANVAS = ("your photo",)  # reads its example through a canvas, which Node lacks
NAMES = [name for name in FIGURES if name not in ("example", *WITH_CANVAS)]


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_link_sets_and_repeats_settings(name):
    figure, change, link = made(name), FIGURES[name].change, FIGURES[name].address
    first, changed = described(figure, change)
    assert (first["link"], changed["link"]) == ("#", link)
    assert opened(figure, link) == [figure.defaults | change]
    for said in (first["sentence"], changed["sentence"]):
        assert said and not re.search("NaN|undefined|null|Infinity", said)


def test_head_map_counts_keys_of_its_first_head():
    figure = head_map_figure(("this model", 2, 1)).figure
    for now in states(figure, *({"query": query} for query in (3, 7, 21, 40))):
        weights = np.array([now["weights"]])
        assert weights.sum() == pytest.approx(1) and weights.max() == now["estimate"]
        assert now["keys_for_90_percent"] == keys_for_90_percent(weights)
