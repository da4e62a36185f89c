"""performer-pytorch 1.1.4 behaves as chapter 7 says."""

import warnings
from importlib import import_module

import numpy as np
import pytest

from lib.random_features import linear_attention, orthogonal_frequencies

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def performer():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it uses names that torch and Python have since deprecated
        return import_module("performer_pytorch.performer_pytorch")


def of_performer(performer, queries, keys, values, frequencies, eps):
    """Return its estimate, and its key features in the units in which it adds eps."""
    torch = import_module("torch")
    queries, keys, values = (torch.from_numpy(x)[None, None] for x in (queries, keys, values))
    options = {"projection_matrix": torch.from_numpy(frequencies), "eps": eps}
    query_features = performer.softmax_kernel(queries, is_query=True, **options)
    key_features = performer.softmax_kernel(keys, is_query=False, **options)
    estimate = performer.linear_attention(query_features, key_features, values)
    return estimate[0, 0].numpy(), key_features[0, 0].numpy() * np.sqrt(len(frequencies))


def test_performer_without_its_epsilon_is_linear_attention(performer):
    queries, keys, values = np.random.default_rng(0).normal(size=(3, 53, 7)) / 2
    frequencies = orthogonal_frequencies(31, 7, rng=0)
    estimate, _ = of_performer(performer, queries, keys, values, frequencies, eps=0)
    ours = linear_attention(queries, keys, values, frequencies=frequencies)
    np.testing.assert_allclose(ours, estimate, rtol=1e-9, atol=1e-12)


def test_performer_epsilon_exceeds_most_features(performer):
    """Chapter 7 states this number: eps is larger than 93 % of the features."""
    queries, keys, values = np.random.default_rng(0).normal(size=(3, 512, 16))
    frequencies = orthogonal_frequencies(256, 16, rng=0)
    _, features = of_performer(performer, queries, keys, values, frequencies, eps=0)
    _, raised = of_performer(performer, queries, keys, values, frequencies, eps=1e-4)
    np.testing.assert_allclose(raised - features, 1e-4, rtol=1e-9)
    assert round(np.mean(features < 1e-4), 2) == 0.93


def test_performer_frequencies_are_biased_along_axes(performer):
    """Its QR has no sign fix, so the estimate of exp(q·k), q = k = 0.7 along an axis, is off by a fifth."""
    torch = import_module("torch")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        draws = [performer.gaussian_orthogonal_random_matrix(4, 4).numpy() for _ in range(1500)]
    estimates = np.exp(1.4 * np.stack(draws) - 0.49).mean(axis=1)  # (draws, axes)
    bias, error = estimates.mean(axis=0) - np.exp(0.49), estimates.std(axis=0) / np.sqrt(1500)
    assert (np.abs(bias) > 6 * error).all() and (np.abs(bias) > 0.15 * np.exp(0.49)).all()
