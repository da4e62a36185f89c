"""Further tests of labelled equations: they put the code to work where another test puts the formula to work."""

from math import exp, pi

import numpy as np
import pytest

from lib.filters import lark_log_weights, steering_matrices
from lib.images import ramp
from lib.regression import nadaraya_watson_weights
from lib.weights import average


@pytest.mark.equation("eq:average", against="the sum with the kernel as written, term by term")
def test_average_with_the_weights_of_the_kernel():
    """The weights come from the code, and what they are compared with comes from exp(−(q − k)²/h²)."""
    rng = np.random.default_rng(11)
    queries, keys, values, h = rng.uniform(-1, 4, 3), rng.uniform(0, 3, 7), rng.normal(size=7), 0.8
    estimates = average(nadaraya_watson_weights(queries, keys, h), values)
    for q, estimate in zip(queries, estimates, strict=True):
        kernel = [exp(-((q - k) ** 2) / h**2) for k in keys]
        expected = sum(K * v for K, v in zip(kernel, values, strict=True)) / sum(kernel)
        assert estimate == pytest.approx(expected, rel=1e-12)


@pytest.mark.equation("eq:kernel_area", against="the sum over a wide window, on a ramp")
@pytest.mark.parametrize("h", [4.0, 6.0])
def test_area_under_the_steering_kernel_of_the_code_is_that_of_a_circle(h):
    """On a ramp all steering matrices are alike. √det C times the bump has the area 2πh², whatever C is.

    The sum over whole pixels stands for the integral: for a smooth bump of several pixels it is the same to many
    digits. The constants make the bump about three times as long as wide, so that the window holds it.
    """
    image = np.pad(ramp(21), 60, mode="reflect", reflect_type="odd")
    options = {"structure_sensitivity": 0.0, "elongation_regularization": 60.0}
    C = steering_matrices(image, **options)[70, 70]
    assert C[1, 1] > 2 * C[0, 0] and np.linalg.det(C) == pytest.approx(1)
    log_weights = lark_log_weights(image, (70, 70), h, radius=50, **options)
    assert np.exp(log_weights).sum() == pytest.approx(2 * pi * h**2, rel=1e-6)
