"""The observations of chapter 6, swept over settings that the chapter does not use."""

import functools

import numpy as np
import pytest

from lib import filters, images, learning, unified
from lib import patch_attention as patches
from lib.attention import attention_weights, positional_encoding
from lib.learning import projection_gradients

POSITIONS = np.arange(50)
DRAWS = range(20)


@pytest.mark.conclusion(
    "06:periodic",
    where="four periods up to a third of the positions",
    names={"period": "three repeats or more", "noise": "noise of 0.5 to 1 times their size"},
    tested="attention leaves less than {limit} of the error",
    varies={"period": [5, 9, 12.4, 16], "noise": [0.5, 1.0], "draw": DRAWS},
    against="the bandwidth with the least error on the unseen signals themselves",
    control="training on features of a period that is a ninth longer",
    fails={
        "two repeats in the fifty positions": {"period": 24, "noise": 0.5, "draw": 0},
        "little noise, and a period between two whole numbers": {"period": 12.4, "noise": 0.2, "draw": 0},
    },
)
def test_attention_has_half_the_error_on_periodic_signals(period, noise, draw, holds):
    def task_and_error(features_of):
        """Return the unseen signals, and the error on them after training on features of some period."""
        rng, tokens = np.random.default_rng(draw), positional_encoding(50, 4, base=(features_of / 2 / np.pi) ** 2)
        seen, fresh = (
            learning.periodic_task(tokens, n, rng=rng, period=period, noise_std=noise) for n in (200, 1000)
        )
        maps = learning.train_projections(lambda: seen, 4, 400, 1.0, rng=rng).parameters
        return fresh, projection_gradients(*maps, *fresh)[0]

    (fresh, error), (_, of_other_period) = task_and_error(period), task_and_error(period / 0.9)
    widths = np.geomspace(0.1, 50, 60)
    best = learning.oracle_bandwidth(POSITIONS, POSITIONS, fresh.values, fresh.targets, widths)[1]
    holds(error / best, "of its error", below=1 / 2, control=of_other_period / best)


def random_rotation(rng, d):
    R = np.linalg.qr(rng.normal(size=(d, d)))[0]
    R[0] *= np.linalg.det(R)
    return R


def with_roles(task):
    """Each question as [0; q] and each key as [k; 0]."""
    asked, held = (np.concatenate([np.zeros_like(x), x], axis=-1) for x in task[:2])
    return learning.Task(asked, np.roll(held, held.shape[-1] // 2, axis=-1), *task[2:])


def train_one(sample, shape, rng):
    """One projection for queries and keys."""

    def gradient_of_both(W):
        loss, by_query, by_key = projection_gradients(W, W, *sample())
        return loss, by_query + by_key

    return learning.descend(gradient_of_both, [rng.normal(scale=0.1, size=shape)], 500, 0.3).parameters[0]


@pytest.mark.conclusion(
    "06:recall",
    where="standard normal keys, noise of a tenth",
    names={
        "rotation": "randomly rotated",
        "dimension": "8 to 24 entries",
        "entries": "full-rank",
        "pairs": "6 to 20",
    },
    tested="the larger error of both is less than {limit} of that of one projection",
    varies={"dimension": [8, 24], "entries": [1.0], "pairs": [6, 20], "rotation": DRAWS},
    against="one learned projection for both sides, trained as long",
    control="one projection with twice the rows, and so as many parameters as two",
    fails={
        "a head with a quarter of the entries": {"dimension": 16, "entries": 0.25, "pairs": 12, "rotation": 0},
        "no rotation": {"dimension": 16, "entries": 1.0, "pairs": 12, "rotation": None},
    },
)
def test_two_projections_or_roles_halve_error(dimension, entries, pairs, rotation, holds):
    """`entries` of the head, as a fraction of the dimension."""
    rng, rank = np.random.default_rng(rotation or 0), int(entries * dimension)
    R = np.eye(dimension) if rotation is None else random_rotation(rng, dimension)
    sample = lambda: learning.recall_task(R, 16, rng=rng, n_pairs=pairs)
    two = learning.train_projections(sample, rank, 500, 0.3, rng=rng).parameters
    one, twice = (train_one(sample, (rows, dimension), rng) for rows in (rank, 2 * rank))
    by_role = train_one(lambda: with_roles(sample()), (rank, 2 * dimension), rng)
    fresh = learning.recall_task(R, 100, rng=rng, n_pairs=pairs)
    error = lambda W_q, W_k, task=fresh: projection_gradients(W_q, W_k, *task)[0]
    larger, of_one = max(error(*two), error(by_role, by_role, with_roles(fresh))), error(one, one)
    holds(larger / of_one, "of its error", below=1 / 2, control=error(twice, twice) / of_one)


@functools.cache
def piece_of(name):
    """Return 64 × 64 pixels of a scikit-image photograph at half size, in [0, 1]."""
    image = getattr(pytest.importorskip("skimage.data"), name)()[32:160, 64:192] / 255
    return image.reshape(64, 2, 64, 2).mean(axis=(1, 3))


def two_blocks(image, h_x, h_y, std):
    patch_block = np.diag(filters.patch_kernel(3).ravel()) / h_y**2
    floor = 2 * std**2 / h_y**2
    shape = dict(radius=5, patch_radius=3, kernel=lambda s: -np.maximum(s - floor, 0))
    return unified.smooth(unified.image_kernel(image, np.eye(2) / h_x**2, patch_block, **shape))


@pytest.mark.conclusion(
    "06:photograph",
    where="a piece of each image",
    names={"noise": "At σ = 23/255 to 25/255"},
    varies={"noise": [23, 25], "draw": DRAWS},
    against="a block for positions and a block for 7 × 7 patches, at the best of twelve pairs of bandwidths",
    control="the head before training, which is non-local means",
    fails={"somewhat stronger noise": {"noise": 27, "draw": 9}},
)
def test_head_wins_only_on_some_images(noise, draw, holds):
    std, trained = noise / 255, patches.trained_maps()
    untrained = unified.factor(np.sqrt(29) * patches.nonlocal_means_matrix(0.1), rank=29)

    def gains(name):
        """Return the gains of the trained and the untrained head on an image."""
        clean = piece_of(name)
        noisy = images.add_noise(clean, std, rng=np.random.default_rng(draw))
        rivals = [two_blocks(noisy, h_x, k * std, std) for h_x in (2, 4, 8) for k in (0.8, 0.9, 1.0, 1.2)]
        best = max(images.psnr(each, clean) for each in rivals)
        estimates = [patches.patch_attention(noisy, *maps) for maps in (trained, untrained)]
        return np.array([images.psnr(each, clean) - best for each in estimates])

    leads = np.minimum(gains("brick"), -np.maximum(gains("grass"), gains("page")))
    holds(leads[0], "dB", control=leads[1])


@pytest.mark.conclusion(
    "06:root-d",
    where="4 to 512 keys",
    names={"d": "in 512 dimensions"},
    tested="the share is more than {limit} times as large",
    varies={"n_keys": [4, 64, 512], "d_v": [1, 8], "draw": DRAWS, "d": [512]},
    against="the same queries, keys and values with the division",
    control="no division for queries and keys of norm 1",
    fails={"in 8 dimensions": {"n_keys": 64, "d_v": 1, "draw": 0, "d": 8}},
)
def test_unscaled_scores_concentrate_weight_on_few_queries(n_keys, d_v, draw, d, holds):
    rng = np.random.default_rng(draw)
    q, k, v = (rng.normal(size=(100, *shape)) for shape in ((1, d), (n_keys, d), (n_keys, d_v)))

    def share(q, k, tau):
        """Return the share of the gradient with respect to the query in the top tenth of the queries."""
        w = attention_weights(q, k, temperature=tau)
        by_score = np.swapaxes(w, 1, 2) * (v - w @ v)
        sizes = np.sort(np.linalg.norm(np.swapaxes(by_score, 1, 2) @ k, axis=(1, 2)))
        return sizes[-10:].sum() / sizes.sum()

    divided, undivided = share(q, k, np.sqrt(d)), share(q, k, 1.0)
    of_norm_1 = share(*(x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (q, k)), 1.0)
    holds(undivided / divided, "times its share", above=2, control=of_norm_1 / divided)
