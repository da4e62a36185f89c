"""The converter of bandwidths: each program's parameter and our h give the same weights."""

import numpy as np
import pytest

from lib.attention import attention_weights
from lib.regression import nadaraya_watson_weights

# Label → kernel of distance d and parameter p, as the program's documentation writes it, and ours
NORMAL = lambda d, p: np.exp(-(d**2) / (2 * p**2))
KERNELS = {
    "standard deviation σ": NORMAL,
    "2σ² or h²": lambda d, p: np.exp(-(d**2) / p),
    "γ in exp(−γd²)": lambda d, p: np.exp(-p * d**2),
    "statsmodels: bw": NORMAL,
    "scikit-learn, rbf_kernel: gamma": lambda d, p: np.exp(-p * d**2),
    "scikit-learn, RBF: length_scale": lambda d, p: np.exp(-((d / p) ** 2) / 2),
    "scikit-learn, laplacian_kernel: gamma (our laplacian)": lambda d, p: np.exp(-p * d),
    "scikit-learn, neighbours: radius (our boxcar)": lambda d, p: d < p,
    "SciPy, gaussian_filter1d: sigma": NORMAL,
    "pandas: std": NORMAL,
    "R, ksmooth, normal: bandwidth": lambda d, p: np.exp(-0.5 * (d / (0.3706506 * p)) ** 2),
    "R, ksmooth, box: bandwidth (our boxcar)": lambda d, p: d < p / 2,
    "R, npreg, gaussian: bws": NORMAL,
    "R, npreg, epanechnikov: bws": lambda d, p: np.maximum(1 - (d / p) ** 2 / 5, 0),
    "OpenCV, bilateralFilter: sigmaSpace": NORMAL,
    "OpenCV, bilateralFilter, 0 to 255: sigmaColor": lambda d, p: NORMAL(255 * d, p),
    "OpenCV, fastNlMeansDenoising: h": lambda d, p: np.exp(-((255 * d / p) ** 2)),
    "scikit-image, bilateral: sigma_spatial, sigma_color": NORMAL,
    "scikit-image, fast non-local means, 7 × 7: h": lambda d, p: np.exp(-(36 / 49) * d**2 / p**2),
    "diffusers: sigma": NORMAL,
}
TEMPERATURES = {
    "temperature τ °": lambda p: p,
    "numbers in a key, d °": np.sqrt,
    "PyTorch, JAX: scale °": lambda p: 1 / p,
}
OURS = {"laplacian": "laplacian", "boxcar": "boxcar", "epanechnikov": "epanechnikov"}


@pytest.fixture
def converter(built_site, page):
    page.goto((built_site / "pages" / "elsewhere.html").as_uri())
    page.wait_for_selector(".converter select")
    return {name: page.get_by_label(name, exact=True) for name in ("program and parameter", "its value", "our h")}


def weights_of(label, number, queries, keys):
    """Return the weights as a text or program with this parameter defines them; the keys have equal norms."""
    if label in TEMPERATURES:
        return attention_weights(queries, keys, temperature=TEMPERATURES[label](number))
    distances = np.sqrt(((queries[:, None] - keys) ** 2).sum(axis=-1))
    kernel = KERNELS[label](distances, number)
    return kernel / kernel.sum(axis=1, keepdims=True)


def test_each_parameter_converts_to_the_same_weights(converter):
    menu, theirs, ours = converter.values()
    rng = np.random.default_rng(0)
    queries, keys = rng.normal(size=(5, 3)) / 4, rng.normal(size=(7, 3))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    labels = menu.locator("option").all_inner_texts()
    assert set(labels) == KERNELS.keys() | TEMPERATURES.keys() and len(set(labels)) == len(labels)
    for label in labels:
        menu.select_option(label=label)
        kernel = next(
            (kernel for name, kernel in OURS.items() if name in label.split(": ")[0] or name in label[-10:]), None
        )
        kernel = kernel or "gaussian"
        ours.fill("1.3")
        assert float(ours.input_value()) == 1.3
        number = float(theirs.input_value())
        expected = nadaraya_watson_weights(queries, keys, 1.3, kernel)
        np.testing.assert_allclose(weights_of(label, number, queries, keys), expected, atol=2e-6, err_msg=label)
        theirs.fill(f"{1.1 * number}")
        expected = nadaraya_watson_weights(queries, keys, float(ours.input_value()), kernel)
        np.testing.assert_allclose(weights_of(label, 1.1 * number, queries, keys), expected, atol=2e-6)
        assert float(ours.input_value()) != 1.3


def test_menu_keeps_the_bandwidth_and_supports_keyboard(converter, page):
    menu, theirs, ours = converter.values()
    message = page.locator(".converter .message")
    assert "h = 4 is σ = 2.828427, γ = 0.0625" in message.inner_text() and "τ = 8" in message.inner_text()
    assert float(theirs.input_value()) == pytest.approx(8**0.5, rel=1e-6)
    menu.select_option(label="numbers in a key, d °")
    assert (theirs.input_value(), ours.input_value()) == ("64", "4")
    menu.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("16")
    assert float(ours.input_value()) == pytest.approx(8**0.5, rel=1e-6)
    page.keyboard.press("Tab")
    assert ours.evaluate("(one) => one === document.activeElement")
    assert page.url.endswith("elsewhere.html")


def test_invalid_or_out_of_range_input_is_rejected(converter, page):
    menu, theirs, ours = converter.values()
    message = page.locator(".converter .message")
    for wrong in ("0", "-1", "−2", "two", "", "1/2", "Infinity", "NaN"):
        theirs.fill(wrong)
        assert message.inner_text().startswith("its value: expected a number above 0, got")
        assert theirs.get_attribute("aria-invalid") == "true" and ours.input_value() == ""
        theirs.fill("1")
        assert theirs.get_attribute("aria-invalid") is None
        assert float(ours.input_value()) == pytest.approx(2**0.5, rel=1e-6)
    ours.fill("1e-170")
    assert message.inner_text() == "our h: 1e-170 is out of range." and theirs.input_value() == ""
    menu.select_option(label="temperature τ °")
    theirs.fill("0,5")  # a decimal comma is accepted
    assert float(ours.input_value()) == 1
