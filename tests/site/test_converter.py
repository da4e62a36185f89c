"""The bandwidth converter of the notation page: its numbers give the same weights in `lib`."""

import itertools

import numpy as np
import pytest

from lib.attention import attention_weights
from lib.regression import nadaraya_watson_weights

SYMBOLS = ("h", "h²", "σ", "2σ²", "γ", "τ", "√d", "d")


@pytest.fixture
def fields(built_site, page):
    page.goto((built_site / "pages" / "notation.html").as_uri())
    page.wait_for_selector(".converter input")
    labels = page.locator(".converter .symbol").all_inner_texts()
    assert tuple(labels) == SYMBOLS
    return {symbol: page.locator(".converter input").nth(number) for number, symbol in enumerate(labels)}


def weights_of(symbol, number, queries, keys):
    """Return the weights as defined by a text with this parameter; the keys have equal norms."""
    if symbol in ("τ", "√d", "d"):  # the scale is √d, so queries and keys may have any number of columns
        return attention_weights(queries, keys, temperature=np.sqrt(number) if symbol == "d" else number)
    of_squares = {"h": -1 / number**2, "h²": -1 / number, "σ": -1 / (2 * number**2), "2σ²": -1 / number}
    squares = ((queries[:, None] - keys) ** 2).sum(axis=-1)
    kernel = np.exp(squares * (of_squares | {"γ": -number})[symbol])
    return kernel / kernel.sum(axis=1, keepdims=True)


def test_every_field_converts_to_the_same_weights(fields):
    rng = np.random.default_rng(0)
    queries, keys = rng.normal(size=(5, 3)), rng.normal(size=(7, 3))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    for typed, (symbol, field) in itertools.product(("0.37", "1e2"), fields.items()):
        field.fill(typed)
        expected = weights_of(symbol, float(typed), queries, keys)
        for other, shown in fields.items():
            number = float(shown.input_value())
            np.testing.assert_allclose(weights_of(other, number, queries, keys), expected, atol=2e-6)
        h = float(fields["h"].input_value())
        np.testing.assert_allclose(nadaraya_watson_weights(queries, keys, h), expected, atol=2e-6)


def test_converter_starts_at_64_dimensions_and_supports_keyboard(fields, page):
    values = [float(fields[symbol].input_value()) for symbol in SYMBOLS]
    assert values == pytest.approx([4, 16, 8**0.5, 16, 1 / 16, 8, 8, 64], rel=1e-6)
    assert "h = 4 is σ = 2.828427, γ = 0.0625" in page.locator(".converter .message").inner_text()
    fields["h"].focus()
    for symbol in SYMBOLS[1:]:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.labels[0].firstChild.textContent") == symbol
    page.get_by_label("bandwidth, as in this course").press_sequentially("2")  # before or after the 4
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("notation.html")
    assert float(fields["h²"].input_value()) in (24**2, 42**2)


def test_invalid_or_out_of_range_input_is_rejected(fields, page):
    message = page.locator(".converter .message")
    for wrong in ("0", "-1", "−2", "two", "", "1/2", "Infinity", "NaN"):
        fields["σ"].fill(wrong)
        assert message.inner_text().startswith("σ: expected a number above 0, got")
        assert fields["σ"].get_attribute("aria-invalid") == "true"
        assert [fields[symbol].input_value() for symbol in SYMBOLS if symbol != "σ"] == [""] * 7
        fields["σ"].fill("1")
        assert fields["σ"].get_attribute("aria-invalid") is None
        assert float(fields["h²"].input_value()) == 2
    fields["h"].fill("1e-170")
    assert message.inner_text() == "h: 1e-170 is out of range." and fields["γ"].input_value() == ""
    fields["τ"].fill("0,5")  # a decimal comma is accepted
    assert float(fields["h"].input_value()) == 1
