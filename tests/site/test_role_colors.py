"""Formulas get their role's colour on the site, and nothing else in them changes."""

import pytest
from role_colors import color

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
def test_letters_with_a_role(formula, expected):
    assert color(formula, ROLES) == expected
