"""The site's search: queries lead to the section that answers them, also in other words."""

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.pages import violations

FIRST = {
    "transformer": "pages/glossary.html#term-transformer",
    "softmax": "pages/glossary.html#term-softmax",
    "bandwidth": "pages/glossary.html#term-bandwidth",
    "LARK": "pages/glossary.html#term-LARK",
    "Gaussian": "pages/glossary.html#term-Gaussian",
    "Gaussian kernel": "pages/glossary.html#term-Gaussian-kernel",
    "denoise": "chapters/02_bilateral.html#regression-became-denoising",
    "attention": "chapters/06_attention.html#attention",
    "QKV": "chapters/06_attention.html#attention",
    "multi-head": "chapters/06_attention.html#heads-values-and-masks",
    "d2l": "chapters/01_nadaraya_watson.html#further-the-deck-of-d2l-computed-by-d2l",
    "steering": "chapters/04_lark.html#steering-kernels-lark",
    "playground": "chapters/01_nadaraya_watson.html#nadarayawatson-regression",
    "heatmap": "chapters/01_nadaraya_watson.html#weights-as-a-matrix",
    "ksmooth": "pages/elsewhere.html#kernel-regression",
    "convert sigma": "pages/elsewhere.html#convert-a-parameter",
    "component mapping": "pages/methods.html#six-decades-in-one-table",
}
AMONG_THREE = {
    "tokenizer": "From text to tokens",
    "RoPE": "Further: rotary positions",
    "KV cache": "Further: the KV cache, GQA, and cross-attention",
    "kernel trick": "Random features for softmax",
    "GPT": "8. A language model, opened",
    "diffusion": "9. A picture from noise",
    "MLP": "MLP",
    "denoising": "Regression became denoising",
    "positional encoding": "Positional encoding",
    "score": "Tweedie’s formula",
    "Tweedie": "Tweedie’s formula",
    "RKHS": "Further: what positive semi-definite buys",
    "Utkin": "Further: history",
    "heat map": "heat map",
    "sigma": "Convert a parameter",
}


@pytest.fixture
def search(site, page):
    def find(query):
        page.goto(f"{site}/search.html?q={query}")
        page.locator(".search-summary").wait_for()
        return page.locator("ul.search li a")

    return find


def test_queries_find_quote_and_open_sections(search, page, built_site):
    for words, place in FIRST.items():
        assert search(words).first.get_attribute("href") == place
        quoted = " ".join(page.locator("ul.search li p.context").all_inner_texts())
        assert len(quoted) > 100 and not re.search(r"\\\(|\bimport |�|Duplicate", quoted), words
        name, section = place.split("#")
        assert (built_site / name).read_text("utf8").count(f'id="{section}"') == 1
    for words, title in AMONG_THREE.items():
        found = search(words).all_inner_texts()
        assert any(each.startswith(title) for each in found[:3]), (words, found[:5])
    search("steering").first.click()
    page.wait_for_url(f"**/{FIRST['steering']}")


def test_synonym_targets_exist(built_site):
    script = (ROOT / "_ext" / "course" / "assets" / "search.js").read_text("utf8")
    places = re.findall(r'^  "(\S+?)#(\S+)": "', script.split("const ALSO = {")[1].split("};")[0], re.MULTILINE)
    assert len(places) > 10
    for page, section in places:
        text = (built_site / page).read_text("utf8")
        assert len(re.findall(f'<(?:section|dt)[^>]* id="{section}"', text)) == 1, (page, section)


def test_functions_rank_after_chapters_and_terms(search):
    for words in ("LARK", "Gaussian", "attention"):
        links = search(words).evaluate_all("all => all.map((link) => link.getAttribute('href'))")
        assert len(links) > 3 and not [link for link in links[:3] if link.startswith("pages/api")], words


def test_partial_matches_are_found(search, page):
    found = search("bilateral hippopotamus").all_inner_texts()
    assert found and found[0].startswith("2. The bilateral filter")
    assert page.locator(".search-summary").inner_text().startswith("No section has all of")
    assert violations(page) == []
    assert search("hippopotamus").count() == 0
    expect(page.locator("[role=status]")).to_contain_text("No section has “hippopotamus”")
