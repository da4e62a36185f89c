"""The labelled equations of chapter @N@."""

import numpy as np
import pytest

from lib.weights import softmax


@pytest.mark.equation("eq:@NAME@_log_weight", against="the kernel exp(−|q − k|/h), key by key")
def test_log_weights_become_the_weights_of_the_kernel():
    rng = np.random.default_rng(0)
    queries, keys, h = rng.normal(size=5), rng.normal(size=7), 0.8
    weights = softmax(-np.abs(queries[:, None] - keys) / h)
    for query, row in zip(queries, weights, strict=True):
        kernel = [np.exp(-abs(query - key) / h) for key in keys]
        np.testing.assert_allclose(row, np.array(kernel) / sum(kernel), rtol=1e-12)
