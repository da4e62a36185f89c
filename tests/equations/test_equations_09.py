"""The labelled equations of chapter 9, on small images, against loops, simulation and search."""

from math import exp, pi

import numpy as np
import pytest

from lib.diffusion import denoise, denoise_weights, heun_walk, score, walk, wiener_filter
from tests.oracles import numerical_gradient


@pytest.fixture
def pictures():
    return np.random.default_rng(0).uniform(-1, 1, (7, 5, 3))


@pytest.fixture
def noisy(pictures):
    return pictures[3] + 0.8 * np.random.default_rng(1).normal(size=(5, 3))


def normal(x, noise_std):
    return exp(-(x**2) / (2 * noise_std**2)) / (2 * pi * noise_std**2) ** 0.5


def laplace(x, noise_std):
    return exp(-abs(x) * 2**0.5 / noise_std) / (2**0.5 * noise_std)


def density(noisy, pictures, noise_std, law=normal):
    """Return p_σ, image by image and pixel by pixel."""
    total = 0.0
    for picture in pictures:
        product = 1.0
        for difference in (noisy - picture).ravel():
            product *= law(difference, noise_std)
        total += product / len(pictures)
    return total


@pytest.mark.equation(
    "eq:denoise_weights",
    against="Bayes' rule, image by image and pixel by pixel",
    says="For equally likely training images and white normal noise, the weights are a softmax of minus "
    "the squared distances over twice the noise variance.",
    given={"prior": np.ones(7) / 7, "law": normal},
    without={
        "equally likely": {"prior": np.arange(1, 8) / 28},
        "white normal noise": {"law": laplace},
    },
)
@pytest.mark.parametrize("noise_std", [0.5, 1.0, 3.0])
def test_weights_are_posterior_probabilities_of_images(pictures, noisy, noise_std, prior, law):
    likelihoods = [density(noisy, [picture], noise_std, law) for picture in pictures]
    expected = prior * likelihoods / (prior @ likelihoods)
    np.testing.assert_allclose(denoise_weights(noisy, pictures, noise_std), expected, rtol=1e-10)


@pytest.mark.equation(
    "eq:denoise",
    against="the guess of least expected error on a grid",
    says="For a training image in white normal noise, the guess of least expected squared error is a "
    "weighted average of the training set.",
    given={"moved": 0.0, "law": normal, "power": 2},
    without={
        "a training image": {"moved": 0.3},
        "white normal noise": {"law": laplace},
        "squared error": {"power": 1},
    },
)
def test_weighted_average_minimises_expected_squared_error(pictures, noisy, moved, law, power):
    """The clean image is one of `pictures`, moved by a constant in each pixel."""
    clean, guesses = pictures + moved, np.linspace(-1.5, 1.5, 6001)
    likelihoods = np.array([density(noisy, [image], 2.0, law) for image in clean])
    for row, column in np.ndindex(noisy.shape):
        errors = np.abs(guesses[:, None] - clean[:, row, column]) ** power @ likelihoods
        guess = denoise(noisy, pictures, 2.0)[row, column]
        assert guess == pytest.approx(guesses[errors.argmin()], abs=3e-4)


@pytest.mark.equation(
    "eq:denoise",
    against="the nearest image, and the mean of all",
    says="As the noise vanishes, the best guess approaches the nearest training image, if it is unique; as it "
    "grows, the mean of the training set.",
    given={"mirrored": False},
    without={"if it is unique": {"mirrored": True}},
)
def test_estimate_has_nearest_image_and_mean_as_limits(pictures, noisy, mirrored):
    nearest = pictures[((noisy - pictures) ** 2).sum(axis=(1, 2)).argmin()]
    known = np.concatenate([pictures, [2 * noisy - nearest]]) if mirrored else pictures
    np.testing.assert_allclose(denoise(noisy, known, 1e5), known.mean(axis=0), atol=1e-8)
    np.testing.assert_allclose(denoise(noisy, known, 0.01), nearest, atol=1e-9)


@pytest.mark.equation("eq:noisy_density", against="its logarithm's slope by differences, pixel by pixel")
@pytest.mark.equation(
    "eq:tweedie",
    against="the slope of the log density by differences",
    says="In white normal noise, the posterior mean is the noisy image plus the noise variance times the "
    "gradient of its log density.",
    given={"law": normal},
    without={"white normal noise": {"law": laplace}},
)
@pytest.mark.parametrize("noise_std", [0.5, 1.5])
def test_posterior_mean_is_step_along_gradient_of_log_density(pictures, noisy, noise_std, law):
    slopes = numerical_gradient(lambda place: np.log(density(place, pictures, noise_std, law)), noisy, step=1e-5)
    likelihoods = np.array([density(noisy, [picture], noise_std, law) for picture in pictures])
    posterior_mean = np.tensordot(likelihoods / likelihoods.sum(), pictures, axes=1)
    np.testing.assert_allclose(posterior_mean, noisy + noise_std**2 * slopes, atol=1e-7)
    np.testing.assert_allclose(denoise(noisy, pictures, noise_std), posterior_mean, atol=1e-9)
    np.testing.assert_allclose(score(noisy, pictures, noise_std), slopes, atol=1e-7)


@pytest.mark.equation("eq:least_squares", against="the best of all estimates on a grid")
def test_posterior_mean_minimises_mean_squared_error():
    """The expectation is an integral over q, so the best estimate can be found for each q separately."""
    clean, noise_std, guesses = np.array([-1.0, 0.2, 1.0]), 0.6, np.linspace(-1.5, 1.5, 3001)
    for place in np.linspace(-2, 2, 21):
        likelihoods = np.exp(-((place - clean) ** 2) / (2 * noise_std**2))
        loss = ((guesses[:, None] - clean) ** 2 * likelihoods).sum(axis=1)
        guess = denoise([[place]], clean[:, None, None], noise_std)[0, 0]
        assert guess == pytest.approx(guesses[loss.argmin()], abs=6e-4)


@pytest.mark.equation(
    "eq:walk",
    against="Euler's steps along the score, one after the other",
    says="Each Euler step of sampling moves towards the best guess and leaves a fraction σ′/σ of the distance to "
    "it.",
    given={"way": walk},
    without={"Euler": {"way": heun_walk}},
)
def test_sampling_trajectory_follows_the_score(pictures, noisy, way):
    levels, x = np.array([4.0, 2.5, 1.0, 0.4]), 5 * noisy
    for (level, seen, guess), following in zip(
        way(x, levels, lambda q, s: denoise(q, pictures, s)), [*levels[1:], None], strict=True
    ):
        np.testing.assert_allclose(seen, x, atol=1e-9)
        np.testing.assert_allclose(guess, x + level**2 * score(x, pictures, level), atol=1e-9)
        if following is not None:
            x = x + (following - level) * -level * score(x, pictures, level)
            np.testing.assert_allclose(x - guess, following / level * (seen - guess), atol=1e-9)


@pytest.mark.equation("eq:heun", against="the mean of two slopes, step by step")
def test_heun_step_averages_slopes_at_both_ends(pictures, noisy):
    levels, x = np.array([4.0, 2.5, 1.0, 0.4]), 5 * noisy
    slope = lambda at, level: -level * score(at, pictures, level)
    for (_, seen, guess), level, following in zip(
        heun_walk(x, levels, lambda q, s: denoise(q, pictures, s)), levels, [*levels[1:], None], strict=True
    ):
        np.testing.assert_allclose(seen, x, atol=1e-9)
        np.testing.assert_allclose(guess, denoise(x, pictures, level), atol=1e-9)
        if following is not None:
            there = x + (following - level) * slope(x, level)
            x = x + (following - level) * (slope(x, level) + slope(there, following)) / 2


def test_heun_errs_with_square_of_step():
    """For normal images of variance 1, q falls as √(1 + σ²): half the step, a fourth of the error."""
    shrink = lambda q, s: q / (1 + s**2)
    exact = 3 * np.sqrt(1 + 0.5**2) / np.sqrt(1 + 4**2)
    ends = lambda way, n: [*way(np.array([3.0]), np.geomspace(4, 0.5, n + 1), shrink)][-1][1].item()
    errors = {way: [abs(ends(way, n) - exact) for n in (40, 80)] for way in (walk, heun_walk)}
    assert errors[walk][0] / errors[walk][1] == pytest.approx(2, rel=0.05)
    assert errors[heun_walk][0] / errors[heun_walk][1] == pytest.approx(4, rel=0.05)
    assert errors[heun_walk][1] < errors[walk][1] / 20


@pytest.mark.equation("eq:wiener", against="a linear system, and the best of many perturbed linear estimates")
@pytest.mark.parametrize("noise_std", [0.3, 2.0])
def test_wiener_filter_is_best_linear_estimate(noise_std):
    """Perturbing its matrix in any direction raises the expected squared error, trace by trace."""
    rng = np.random.default_rng(3)
    pictures = rng.normal(size=(9, 2, 3)) * [[1, 2, 0.1], [0, 1, 3]]
    flat = pictures.reshape(9, 6)
    mean, covariance = flat.mean(axis=0), np.cov(flat.T)
    noisy = rng.normal(size=(2, 3))
    solved = mean + covariance @ np.linalg.solve(covariance + noise_std**2 * np.eye(6), noisy.ravel() - mean)
    estimate = wiener_filter(pictures)
    np.testing.assert_allclose(estimate(noisy, noise_std).ravel(), solved, atol=1e-9)
    columns = [estimate((mean + unit).reshape(2, 3), noise_std).ravel() - mean for unit in np.eye(6)]
    matrix = np.transpose(columns)

    def error(linear):
        rest = linear - np.eye(6)
        return np.trace(rest @ covariance @ rest.T) + noise_std**2 * np.sum(linear**2)

    for _ in range(50):
        assert error(matrix + 0.01 * rng.normal(size=(6, 6))) > error(matrix)


@pytest.mark.equation(
    "eq:one_key",
    against="the weights of 50 images on their own noisy copies",
    says="Among many independent normal images, one takes nearly all the weight if the noisy image carries well "
    "over log n nats.",
    given={"copies": 1, "law": "normal", "nats": 3},
    without={
        "independent": {"copies": 2},
        "normal": {"law": "sparse"},
        "well over": {"nats": 1},
    },
)
@pytest.mark.parametrize("n, dimension", [(100, 100), (1000, 400)])
def test_one_image_takes_all_weight_below_critical_noise(n, dimension, copies, law, nats):
    """The noisy image carries `nats` · log n; the images are normal with unequal variances, or mostly zero."""
    rng = np.random.default_rng(4)
    variances = rng.uniform(0.1, 2, dimension)
    shape = n // copies, dimension
    drawn = rng.normal(size=shape) if law == "normal" else 1000 * (rng.random(shape) < 1e-3)
    pictures = np.tile(drawn * np.sqrt(variances), (copies, 1))[:, None]
    levels = np.geomspace(0.01, 100, 20_001)
    information = np.log1p(variances / levels[:, None] ** 2).sum(axis=1) / 2
    noise_std = levels[np.abs(information - nats * np.log(n)).argmin()]
    noisy = pictures[:50] + noise_std * rng.normal(size=(50, 1, dimension))
    own = np.diag(denoise_weights(noisy, pictures, noise_std))
    assert np.mean(own) > 0.98


def jacobian(denoiser, noisy):
    """Return the derivative of the estimate at each pixel (rows) with respect to each noisy pixel."""
    columns = [numerical_gradient(lambda q, p=p: denoiser(q).ravel()[p], noisy).ravel() for p in range(noisy.size)]
    return np.array(columns)


@pytest.mark.equation(
    "eq:patch_jacobian",
    against="numerical derivatives, for whole images and for patches",
    says="With whole images, the Jacobian of the best guess is symmetric; with patches it need not be, so their "
    "step may not be a gradient.",
    given={"radius": None},
    without={"With whole images": {"radius": 1}},
)
def test_derivatives_of_patches_are_weighted_covariances(pictures, noisy, radius):
    noise_std, (height, width) = 0.9, noisy.shape
    places = list(np.ndindex(height, width))
    keys = pictures.reshape(len(pictures), -1)
    expected = np.zeros((noisy.size, noisy.size))
    for p, (row, column) in enumerate(places):
        near = [u for u, (r, c) in enumerate(places) if max(abs(r - row), abs(c - column)) <= 1]
        squares = ((noisy.ravel() - keys)[:, near] ** 2).sum(axis=1)
        weights = np.exp(-squares / (2 * noise_std**2))
        weights /= weights.sum()
        for u in near:
            covariance = weights @ (keys[:, p] * keys[:, u]) - (weights @ keys[:, p]) * (weights @ keys[:, u])
            expected[p, u] = covariance / noise_std**2
    of_patches = jacobian(lambda q: denoise(q, pictures, noise_std, 1), noisy)
    np.testing.assert_allclose(of_patches, expected, atol=1e-6)
    assert np.linalg.norm(of_patches - of_patches.T) > 0.05 * np.linalg.norm(of_patches)
    found = jacobian(lambda q: denoise(q, pictures, noise_std, radius), noisy)
    np.testing.assert_allclose(found, found.T, atol=1e-6)


@pytest.mark.equation(
    "eq:flow_matching",
    against="Bayes' rule for the mixture of image and noise",
    says="For an image mixed linearly with white normal noise, the best estimate of the velocity follows from the "
    "posterior mean at one noise level.",
    given={"power": 1, "law": normal},
    without={"linearly": {"power": 2}, "white normal noise": {"law": laplace}},
)
@pytest.mark.parametrize("t", [0.5, 0.7, 0.9])
def test_velocity_follows_from_posterior_mean(pictures, noisy, t, power, law):
    """The path is (1 − t)^power · x + t · ε, and its velocity the derivative with respect to t."""
    share, slope = (1 - t) ** power, -power * (1 - t) ** (power - 1)
    mixed = share * pictures[2] + t * noisy
    likelihoods = np.array([density(mixed, [share * picture], t, law) for picture in pictures])
    velocities = slope * pictures + (mixed - share * pictures) / t  # if the image was this one
    expected = np.tensordot(likelihoods / likelihoods.sum(), velocities, axes=1)
    found = (mixed - denoise(mixed / (1 - t), pictures, t / (1 - t))) / t
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
