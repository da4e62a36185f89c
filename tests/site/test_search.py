"""The search of the site: what readers type leads to the section that answers, also in other words."""

import pytest

ANSWERS = {
    "RoPE": "Further: where a word stands",
    "KV cache": "Further: the cache, grouped heads, and attention between two texts",
    "kernel trick": "Random features for softmax",
    "GPT": "8. A language model, opened",
    "diffusion": "9. A picture from noise",
    "score": "The guess lies uphill",
    "Tweedie": "The guess lies uphill",
}


@pytest.fixture
def results(site, page):
    def find(query):
        page.goto(f"{site}/search.html?q={query}")
        page.locator(".search-summary").wait_for()
        return page.locator("ul.search li a").all_inner_texts()

    return find


@pytest.mark.parametrize("query", ANSWERS)
def test_what_readers_type_is_among_the_first_three(query, results):
    assert any(found.startswith(ANSWERS[query]) for found in results(query)[:3]), results(query)[:5]


def test_some_of_the_words_are_found_where_no_section_has_all(results, page):
    found = results("bilateral hippopotamus")
    assert found and found[0].startswith("2. The bilateral filter")
    assert page.locator(".search-summary").inner_text().startswith("No section has all of")
    assert results("hippopotamus") == []


def test_excerpts_quote_the_text_and_no_message_of_the_build(results, page):
    results("gaussian")
    assert "Duplicate" not in page.locator("ul.search").inner_text()
