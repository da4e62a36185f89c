"""The labelled equations of chapter 9, on small images, against loops, simulation and search."""

from math import exp, pi

import numpy as np
import pytest

from lib.diffusion import denoise, denoise_weights, score, walk
from tests.oracles import numerical_gradient


@pytest.fixture
def pictures():
    return np.random.default_rng(0).uniform(-1, 1, (7, 5, 3))


@pytest.fixture
def noisy(pictures):
    return pictures[3] + 0.8 * np.random.default_rng(1).normal(size=(5, 3))


def density(noisy, pictures, noise_std):
    """Return p_σ, image by image and pixel by pixel."""
    total = 0.0
    for picture in pictures:
        product = 1.0
        for difference in (noisy - picture).ravel():
            product *= exp(-(difference**2) / (2 * noise_std**2)) / (2 * pi * noise_std**2) ** 0.5
        total += product / len(pictures)
    return total


@pytest.mark.equation("eq:denoise_weights", against="Bayes' rule, image by image and pixel by pixel")
@pytest.mark.parametrize("noise_std", [0.5, 1.0, 3.0])
def test_weights_are_posterior_probabilities_of_images(pictures, noisy, noise_std):
    likelihoods = [density(noisy, [picture], noise_std) for picture in pictures]
    expected = np.array(likelihoods) / sum(likelihoods)
    np.testing.assert_allclose(denoise_weights(noisy, pictures, noise_std), expected, rtol=1e-10)


@pytest.mark.equation("eq:denoise", against="the sum over the images, pixel by pixel")
def test_estimate_is_the_weighted_average_of_images(pictures, noisy):
    likelihoods = [density(noisy, [picture], 0.7) for picture in pictures]
    for row, column in np.ndindex(noisy.shape):
        total = sum(p * picture[row, column] for p, picture in zip(likelihoods, pictures, strict=True))
        expected = total / sum(likelihoods)
        assert denoise(noisy, pictures, 0.7)[row, column] == pytest.approx(expected, rel=1e-10)


@pytest.mark.equation("eq:noisy_density", against="its logarithm's slope by differences, pixel by pixel")
@pytest.mark.equation("eq:tweedie", against="the slope of the log density by differences")
@pytest.mark.parametrize("noise_std", [0.5, 1.5])
def test_score_is_gradient_of_log_density(pictures, noisy, noise_std):
    """The estimate is also a step uphill, with the noise variance as its length."""
    slopes = numerical_gradient(lambda place: np.log(density(place, pictures, noise_std)), noisy, step=1e-5)
    np.testing.assert_allclose(score(noisy, pictures, noise_std), slopes, atol=1e-7)
    np.testing.assert_allclose(denoise(noisy, pictures, noise_std), noisy + noise_std**2 * slopes, atol=1e-7)


@pytest.mark.equation("eq:least_squares", against="the best of all estimates on a grid")
def test_posterior_mean_minimises_mean_squared_error():
    """The expectation is an integral over q, so the best estimate can be found for each q separately."""
    clean, noise_std, guesses = np.array([-1.0, 0.2, 1.0]), 0.6, np.linspace(-1.5, 1.5, 3001)
    for place in np.linspace(-2, 2, 21):
        likelihoods = np.exp(-((place - clean) ** 2) / (2 * noise_std**2))
        loss = ((guesses[:, None] - clean) ** 2 * likelihoods).sum(axis=1)
        guess = denoise([[place]], clean[:, None, None], noise_std)[0, 0]
        assert guess == pytest.approx(guesses[loss.argmin()], abs=6e-4)


@pytest.mark.equation("eq:walk", against="Euler's steps along the score, one after the other")
def test_sampling_trajectory_follows_the_score(pictures, noisy):
    levels, x = np.array([4.0, 2.5, 1.0, 0.4]), 5 * noisy
    for (level, seen, guess), following in zip(
        walk(x, levels, lambda q, s: denoise(q, pictures, s)), [*levels[1:], None], strict=True
    ):
        np.testing.assert_allclose(seen, x, atol=1e-9)
        np.testing.assert_allclose(guess, x + level**2 * score(x, pictures, level), atol=1e-9)
        if following is not None:
            x = x + (following - level) * -level * score(x, pictures, level)
