"""Formulas get their role's colour on the site, and nothing else in them changes."""

import pytest
from docutils import nodes
from role_colors import color, legend, roles_of

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


def test_roles_of_a_page_stand_in_its_head(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("---\nroles:\n  key: [k, \\mathbf C_j]\n---\n# A title\n", "utf8")
    assert roles_of(str(page)) == {"key": ["k", r"\mathbf C_j"]}
    page.write_text("# A title\n\n---\n\nroles: none\n", "utf8")
    assert roles_of(str(page)) == {}
    notebook = tmp_path / "chapter.ipynb"
    notebook.write_text('{"metadata": {"roles": {"query": ["q"]}}}', "utf8")
    assert roles_of(str(notebook)) == {"query": ["q"]}


def test_legend_names_each_role_with_its_first_letters():
    line = legend({"key": ["k", "k_i", "k_j", "k_l"], "query": ["q"]})
    assert line.astext() == r"On this page: query {\query{q}}, key {\key{k}}, {\key{k_i}}, {\key{k_j}}."
    assert [name.astext() for name in line.findall(nodes.inline)] == ["query", "key"]
