"""Gradients against finite differences and autograd, descent, the three tasks, and the trained patch attention."""

import numpy as np
import pytest
import torch

from lib import learning
from lib import patch_attention as patches
from lib.attention import attention, attention_weights, positional_encoding
from lib.images import add_noise, camera, psnr
from lib.regression import nadaraya_watson_weights
from lib.weights import softmax
from tests.invalid_input import rejects
from tests.oracles import numerical_gradient

TOKENS = positional_encoding(50, 4, base=100)


def random_task(*batch):
    rng = np.random.default_rng(0)
    return learning.Task(*(rng.normal(size=(*batch, *shape)) for shape in ((3, 2), (5, 7), (5, 2), (3, 2))))


@pytest.mark.equation("eq:score_gradient", against="finite differences")
@pytest.mark.parametrize("batch", [(), (2,)])
def test_score_gradient_matches_finite_differences(batch):
    task = random_task(*batch)
    scores = np.random.default_rng(1).normal(size=(*batch, 3, 5))
    loss, slope = learning.score_gradient(scores, task.values, task.targets)
    assert loss == pytest.approx(np.mean((softmax(scores) @ task.values - task.targets) ** 2))
    expected = numerical_gradient(lambda s: learning.score_gradient(s, task.values, task.targets)[0], scores)
    np.testing.assert_allclose(slope, expected, atol=1e-9)
    np.testing.assert_allclose(slope.sum(axis=-1), 0, atol=1e-15)  # adding a constant to a row changes nothing


@pytest.mark.equation("eq:training_loss", "eq:projection_gradients", against="PyTorch's autograd")
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_projection_gradients_match_autograd(batch):
    task, rng = random_task(*batch), np.random.default_rng(2)
    maps = rng.normal(size=(4, 2)), rng.normal(size=(4, 7))
    loss, *slopes = learning.projection_gradients(*maps, *task)
    mapped = task.query_tokens @ maps[0].T, task.key_tokens @ maps[1].T
    assert loss == pytest.approx(np.mean((attention(*mapped, task.values) - task.targets) ** 2), rel=1e-13)
    tensors = [torch.tensor(m, requires_grad=True) for m in maps]
    query_tokens, key_tokens, values, targets = map(torch.tensor, task)
    estimate = torch.nn.functional.scaled_dot_product_attention(
        query_tokens @ tensors[0].T, key_tokens @ tensors[1].T, values
    )
    torch.mean((estimate - targets) ** 2).backward()
    for slope, tensor in zip(slopes, tensors, strict=True):
        np.testing.assert_allclose(slope, tensor.grad, rtol=0, atol=1e-13)


@pytest.mark.equation("eq:bandwidth_gradient", against="PyTorch's autograd")
@pytest.mark.parametrize("leave_one_out", [False, True])
@pytest.mark.parametrize("d", [1, 3])
def test_bandwidth_gradient_matches_autograd(leave_one_out, d):
    rng = np.random.default_rng(3)
    points, values, targets = rng.normal(size=(7, d)), rng.normal(size=(7, 2)), rng.normal(size=(7, 2))
    mask = ~np.eye(7, dtype=bool) if leave_one_out else None
    loss, slope = learning.bandwidth_gradient(-0.3, points, points, values, targets, mask=mask)
    log_h = torch.tensor(-0.3, dtype=torch.float64, requires_grad=True)
    distances = torch.tensor(((points[:, None] - points) ** 2).sum(axis=-1))
    scores = -distances / torch.exp(log_h) ** 2
    scores = scores if mask is None else scores.masked_fill(torch.tensor(~mask), -torch.inf)
    expected = torch.mean((torch.softmax(scores, -1) @ torch.tensor(values) - torch.tensor(targets)) ** 2)
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    assert slope == pytest.approx(log_h.grad.item(), rel=1e-10)


@pytest.mark.equation("eq:momentum", against="three steps by hand")
def test_descent_does_not_modify_start():
    gradients = lambda x, y: (x**2 + y**2, 2 * x, 2 * y)
    options, seen = dict(n_steps=3, step_size=0.2, momentum=0.5, keep=[0, 1, 3]), []
    training = learning.descend(gradients, [1.0, -2.0], **options, on_step=lambda *step: seen.append(step))
    x, v, losses, path = 1.0, 0.0, [], [1.0]
    for step in range(3):
        losses.append(5 * x**2)  # y is always −2x
        v = 0.5 * v - 0.2 * (1 - step / 3) * 2 * x
        x += v
        path.append(x)
    np.testing.assert_allclose(training.losses, losses, rtol=1e-14)
    assert sorted(training.snapshots) == [0, 1, 3]
    for step, (kept_x, kept_y) in training.snapshots.items():
        np.testing.assert_allclose([kept_x, kept_y], [path[step], -2 * path[step]], rtol=1e-14)
    assert training.parameters == training.snapshots[3]
    assert seen == list(enumerate(training.losses.tolist(), 1))
    start = np.ones(2, np.float32)
    training = learning.descend(lambda x: (float(x @ x), 2 * x), [start], n_steps=5, step_size=0.1, keep=[0])
    np.testing.assert_array_equal(start, [1, 1])
    start *= 2
    np.testing.assert_array_equal(training.snapshots[0][0], [1, 1])
    assert training.parameters[0].dtype == np.float32
    halfway = learning.descend(lambda x: (x * x, 2 * x), [1], n_steps=2, step_size=0.1).parameters[0]
    assert 0 < halfway < 1  # integers do not stay integers


def test_trained_attention_approximates_a_smoother():
    """Each row of weights is within 1 % of the smoother's, in total variation."""
    task, make = learning.imitation_task(TOKENS, bandwidth=5), np.random.default_rng
    training = learning.train_projections(
        lambda: task, rank=4, n_steps=1000, step_size=100.0, rng=make(0), keep=[0]
    )
    query_map, key_map = training.parameters
    weights = attention_weights(TOKENS @ query_map.T, TOKENS @ key_map.T)
    expected = nadaraya_watson_weights(np.arange(50), np.arange(50), 5)
    np.testing.assert_allclose(task.targets, expected, atol=1e-15)
    assert abs(weights - expected).sum(axis=1).max() / 2 < 0.01
    assert training.losses[-1] < 1e-4 * training.losses[0]
    again, other = (
        learning.train_projections(lambda: task, 4, 10, 100.0, rng=make(seed), keep=[0]) for seed in (0, 1)
    )
    np.testing.assert_array_equal(again.snapshots[0], training.snapshots[0])
    assert (other.snapshots[0][0] != training.snapshots[0][0]).all()


def test_periodic_task_repeats_targets_and_adds_noise():
    task = learning.periodic_task(TOKENS, 1000, rng=np.random.default_rng(0), period=5, noise_std=0.3)
    np.testing.assert_allclose(task.targets[5:], task.targets[:-5], atol=1e-12)
    assert abs(task.targets[2:] - task.targets[:-2]).max() > 1
    assert (task.values - task.targets).std() == pytest.approx(0.3, rel=0.02)
    assert task.targets.var() == pytest.approx(1, rel=0.1)


def test_recall_task_rotates_the_key_of_each_question():
    """Keys and values contain the same pairs in a different order, and each question is its key, rotated."""
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    task = learning.recall_task(rotation, 7, rng=np.random.default_rng(2), n_pairs=5, noise_std=0.0)
    moved = 0
    for questions, keys, values, answers in zip(*task, strict=True):
        for question, answer in zip(questions, answers, strict=True):
            match = np.abs(keys @ rotation.T - question).max(axis=1).argmin()
            np.testing.assert_allclose(keys[match] @ rotation.T, question, atol=1e-14)
            np.testing.assert_array_equal(values[match], answer)
        moved += (answers != values).any()
    assert moved > 3


def test_oracle_bandwidth_is_optimal():
    rng = np.random.default_rng(4)
    points, values, targets = rng.normal(size=(7, 2)), rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    grid = [0.1, 0.5, 1.0, 5.0]
    errors = [np.mean((nadaraya_watson_weights(points, points, h) @ values - targets) ** 2) for h in grid]
    bandwidth, error = learning.oracle_bandwidth(points, points, values, targets, grid)
    assert bandwidth == grid[np.argmin(errors)] and error == pytest.approx(min(errors))
    batch = [a[None] for a in (points, points, values, targets)]
    assert learning.oracle_bandwidth(*batch, grid) == (bandwidth, error)


def test_short_training_reproduces_stored_start():
    """40 steps from non-local means improve the unseen photograph and approach the stored projections."""
    from tools.train.train_patch_attention import initial_maps, train

    noisy = add_noise(camera(), 25 / 255, rng=np.random.default_rng(1))
    image, clean = noisy[40:88, 30:78], camera()[40:88, 30:78]
    start, stored = initial_maps(), patches.trained_maps()
    maps = train(n_steps=40, rng=np.random.default_rng(8)).parameters
    before, after, end = (psnr(patches.patch_attention(image, *m), clean) for m in (start, maps, stored))
    assert before + 0.3 < after <= end + 0.1
    matrix = [query_map.T @ key_map for query_map, key_map in (start, maps, stored)]
    step, whole_way = matrix[1] - matrix[0], matrix[2] - matrix[0]
    assert (step * whole_way).sum() > 0.3 * np.linalg.norm(step) * np.linalg.norm(whole_way)


def descend_from_one(n_steps=1, step_size=1.0, **options):
    return learning.descend(lambda x: (x * x, 2 * x), [1.0], n_steps, step_size, **options)


test_invalid_input_is_rejected = pytest.mark.filterwarnings("ignore:overflow")(
    rejects(
        ("n_steps", lambda: descend_from_one(n_steps=0)),
        ("step_size", lambda: descend_from_one(step_size=0.0)),
        ("step_size", lambda: descend_from_one(n_steps=1000, step_size=10.0)),  # too large to descend
        ("momentum", lambda: descend_from_one(momentum=1.0)),
        ("image", lambda: patches.window_tokens(np.ones((3, 3, 3)))),
        ("bandwidth", lambda: patches.nonlocal_means_matrix(0.0)),
        ("query_map", lambda: patches.patch_attention(np.ones((3, 3)), np.ones((4, 28)), np.ones((4, 28)))),
        ("key_map", lambda: patches.patch_attention(np.ones((3, 3)), np.ones((4, 29)), np.ones((5, 29)))),
        ("bandwidth", lambda: learning.imitation_task(TOKENS, 0.0)),
        ("n_signals", lambda: learning.periodic_task(TOKENS, 0, rng=np.random.default_rng(0))),
        ("n_pairs", lambda: learning.recall_task(np.eye(3), 2, rng=np.random.default_rng(0), n_pairs=1)),
    )
)


def test_projections_of_extreme_bandwidths_stay_finite():
    assert np.isfinite([patches.nonlocal_means_matrix(h) for h in (1e-200, 1e200)]).all()
