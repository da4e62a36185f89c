"""Folded code: what its line promises is in it, and a live figure has none."""

import re

import pytest
from pages import NUMBERED


@pytest.mark.parametrize("name", NUMBERED)
def test_each_fold_says_how_many_lines_it_has_and_names_what_it_defines(name, site, page):
    page.goto(f"{site}/{name}.html")
    folds = page.locator("details.hide.above-input").evaluate_all("""
      all => all.map((fold) => ["p.collapsed", "pre"].map((part) => fold.querySelector(part).textContent))""")
    assert folds
    for words, code in folds:
        assert int(re.search(r", (\d+) lines?$", words)[1]) == len(code.strip().split("\n")), words
        if named := re.match(r"Show the code of (\w+)( and \w+)?,", words):
            assert re.search(rf"^(def|class) {named[1]}\b", code, re.MULTILINE), words
    assert page.locator("div.cell:has(.live-panel) > details").count() == 0
    assert page.locator("div.cell:has(.widget-view), div.cell:has(script[type*='widget-view'])").count()
