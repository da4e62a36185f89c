"""The converter of bandwidths on the notation page: the numbers that it shows give the same weights in `lib`."""

import numpy as np
import pytest
from pages import is_narrow

from lib.attention import attention_weights
from lib.regression import nadaraya_watson_weights

SYMBOLS = ("h", "h²", "σ", "2σ²", "γ", "τ", "√d", "d")


@pytest.fixture
def fields(site, page):
    """The fields of the converter by their symbol, on an open page."""
    page.goto(f"{site}/pages/notation.html")
    page.wait_for_selector(".converter input")
    labels = page.locator(".converter .symbol").all_inner_texts()
    assert tuple(labels) == SYMBOLS
    return {symbol: page.locator(".converter input").nth(number) for number, symbol in enumerate(labels)}


def squared_distances(queries, keys):
    return ((queries[:, None] - keys) ** 2).sum(axis=-1)


def weights_of(symbol, number, queries, keys):
    """Weights as a text that has this parameter defines them; the keys have one norm."""
    squares, products = squared_distances(queries, keys), queries @ keys.T
    if symbol == "d":  # the scale is √d, so queries and keys may have any number of columns
        return attention_weights(queries, keys, temperature=np.sqrt(number))
    if symbol in ("τ", "√d"):
        return attention_weights(queries, keys, temperature=number)
    exponent = {
        "h": lambda h: -squares / h**2,
        "h²": lambda h2: -squares / h2,
        "σ": lambda sigma: -squares / (2 * sigma**2),
        "2σ²": lambda two_sigma2: -squares / two_sigma2,
        "γ": lambda gamma: -gamma * squares,
    }[symbol](number)
    assert products.shape == exponent.shape
    kernel = np.exp(exponent)
    return kernel / kernel.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("typed", ["0.37", "5", "1e2"])
def test_every_field_moves_all_others_to_the_same_weights(fields, typed):
    rng = np.random.default_rng(0)
    queries, keys = rng.normal(size=(5, 3)), rng.normal(size=(7, 3))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    for symbol, field in fields.items():
        field.fill(typed)
        expected = weights_of(symbol, float(typed), queries, keys)
        for other, shown in fields.items():
            number = float(shown.input_value())
            np.testing.assert_allclose(weights_of(other, number, queries, keys), expected, atol=2e-6)
        h = float(fields["h"].input_value())
        np.testing.assert_allclose(nadaraya_watson_weights(queries, keys, h), expected, atol=2e-6)


def test_it_begins_at_attention_with_64_numbers_a_key(fields, page):
    values = [float(fields[symbol].input_value()) for symbol in SYMBOLS]
    assert values == pytest.approx([4, 16, 8**0.5, 16, 1 / 16, 8, 8, 64], rel=1e-6)
    assert "h = 4 is σ = 2.828427, γ = 0.0625" in page.locator(".converter .message").inner_text()


@pytest.mark.parametrize("wrong", ["0", "-1", "−2", "two", "", "1/2", "Infinity", "NaN"])
def test_what_is_not_a_number_above_zero_is_refused(fields, page, wrong):
    fields["σ"].fill(wrong)
    assert page.locator(".converter .message").inner_text().startswith("σ: expected a number above 0, got")
    assert fields["σ"].get_attribute("aria-invalid") == "true"
    assert [fields[symbol].input_value() for symbol in SYMBOLS if symbol != "σ"] == [""] * 7
    fields["σ"].fill("1")
    assert fields["σ"].get_attribute("aria-invalid") is None
    assert float(fields["h²"].input_value()) == 2


def test_what_leaves_the_range_of_numbers_is_refused(fields, page):
    fields["h"].fill("1e-170")
    assert page.locator(".converter .message").inner_text() == "h: 1e-170 is out of range."
    assert fields["γ"].input_value() == ""


def test_a_decimal_comma_is_a_point(fields):
    fields["τ"].fill("0,5")
    assert float(fields["h"].input_value()) == 1


def test_the_keyboard_is_enough_and_the_labels_name_the_fields(fields, page):
    fields["h"].focus()
    for symbol in SYMBOLS[1:]:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.labels[0].firstChild.textContent") == symbol
    page.get_by_label("bandwidth, as in this course").press_sequentially("2")  # before or after the 4
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("notation.html")
    assert float(fields["h²"].input_value()) in (24**2, 42**2)


def test_other_pages_do_not_load_it(built_site):
    assert "converter.js" in (built_site / "pages" / "notation.html").read_text("utf8")
    assert "converter.js" not in (built_site / "pages" / "glossary.html").read_text("utf8")


def test_it_works_from_disk_and_on_a_phone(built_site, new_page):
    page = new_page(viewport={"width": 375, "height": 700})
    page.goto((built_site / "pages" / "notation.html").as_uri())
    page.get_by_label("scikit-learn’s gamma").fill("0.25")
    assert page.get_by_label("bandwidth, as in this course").input_value() == "2"
    assert is_narrow(page)
