"""Symbols in formulas get their role's colour, and numbers keep their units; nothing else changes."""

import pytest

from _ext.course.line_breaks import unbroken
from _ext.course.role_colors import color

ROLES = {"query": ["q"], "key": ["k", "k_i"], "value": ["v_i"], "weight": ["w_{ii}"], "estimate": [r"\hat y"]}


@pytest.mark.parametrize(
    "formula, expected",
    [
        (r"\hat y(q)", r"{\estimate{\hat y}}({\query{q}})"),
        (r"k_i - k", r"{\key{k_i}} - {\key{k}}"),  # the longer symbol first
        (r"n_q", r"n_{\query{q}}"),  # braces, so that a subscript stays one
        (r"v_i / (1 - w_{ii})", r"{\val{v_i}} / (1 - {\weight{w_{ii}}})"),
        (r"\kappa \quad \text{quick } kq", r"\kappa \quad \text{quick } kq"),  # commands, words, other names
        (r"\operatorname{softmax}(k)", r"\operatorname{softmax}({\key{k}})"),
    ],
)
def test_symbols_get_role_colours(formula, expected):
    assert color(formula, ROLES) == expected


TEXTS = ["90~% of it", "10~000~000 keys", "2.4~dB at 3~×~3", "0.36~σ", "15 min~· ●○○"]
TEXTS += ["in 1964 two of 2005 pages", "7 dBm and 5 1234", "(1½,~0), (0,~−2,~1)", "(1, or 2), chapters 1, 2 and 3"]


@pytest.mark.parametrize("held", TEXTS)
def test_numbers_keep_their_units(held):
    assert unbroken(held.replace("~", " ")) == held.replace("~", "\N{NO-BREAK SPACE}")
