"""Argument validation by kind: what every public function accepts and rejects in the same way."""

import pickle
from fractions import Fraction

import numpy as np
import pandas
import pytest
import torch

from lib import data, filters, images, unified
from lib.attention import attention, multi_head_attention
from lib.checks import bandwidth_per_axis, floats, positive, real_array, whole_number
from lib.diffusion import denoise
from lib.heads import measure
from lib.learning import bandwidth_gradient, oracle_bandwidth, periodic_task, recall_task, score_gradient
from lib.patch_attention import patch_attention, patch_attention_weights, trained_maps, window_tokens
from lib.random_features import (
    balance,
    centre_keys,
    feature_average,
    fourier_features,
    iid_frequencies,
    linear_attention,
    orthogonal_frequencies,
    positive_features,
    trigonometric_features,
)
from lib.regression import choose_bandwidth, local_linear, nadaraya_watson
from lib.weights import average, softmax
from tests.invalid_input import rejected, rejects

PIXEL = (4, 4)
OF_IMAGES = {  # argument → every function that takes an image
    "bilateral": lambda image: filters.bilateral(image, 1.0, 0.3, radius=2),
    "bilateral_grid": lambda image: filters.bilateral_grid(image, 1.0, 0.3),
    "bilateral_weights": lambda image: filters.bilateral_weights(image, PIXEL, 1.0, 0.3, radius=2),
    "nonlocal_means": lambda image: filters.nonlocal_means(image, 0.3, 1, 2),
    "nonlocal_means_weights": lambda image: filters.nonlocal_means_weights(image, PIXEL, 0.3, 1, 2),
    "lark": lambda image: filters.lark(image, 2.0, 2),
    "lark_weights": lambda image: filters.lark_weights(image, PIXEL, 2.0, 2),
    "steering_matrices": filters.steering_matrices,
    "structure_tensors": filters.structure_tensors,
    "pilot_gradient": filters.pilot_gradient,
    "patches": lambda image: filters.patches(image, 1),
    "unified.classical_kernel": lambda image: unified.smooth(unified.classical_kernel(image, 1.0, 2)),
    "unified.bilateral_kernel": lambda image: unified.smooth(unified.bilateral_kernel(image, 1.0, 0.3, 2)),
    "unified.nonlocal_means_kernel": lambda image: unified.smooth(
        unified.nonlocal_means_kernel(image, 0.3, [[1.0]], 2)
    ),
    "unified.steering_kernel": lambda image: unified.smooth(
        unified.steering_kernel(image, np.tile(np.eye(2), (9, 9, 1, 1)), 1.0, 2)
    ),
    "patch_attention": lambda image: patch_attention(image, *trained_maps()),
    "patch_attention_weights": lambda image: patch_attention_weights(image, PIXEL, *trained_maps()),
    "window_tokens": lambda image: window_tokens(image)(np.array([4]), np.array([4]))[0],
    "add_noise": lambda image: images.add_noise(image, 0.1, rng=0),
    "psnr": lambda image: images.psnr(estimate=image, reference=np.full((9, 9), 0.5)),
}
WHOLE = np.random.default_rng(0).integers(0, 256, (9, 9))
everywhere = pytest.mark.parametrize("of_image", OF_IMAGES.values(), ids=OF_IMAGES)


@everywhere
def test_uint8_images_are_scaled_without_modification(of_image):
    image = WHOLE / 255
    image.flags.writeable = False
    np.testing.assert_array_equal(of_image(WHOLE.astype(np.uint8)), of_image(image))


@everywhere
@pytest.mark.parametrize("dtype", [np.uint16, np.int64, np.int8, bool])
def test_images_of_other_integer_types_are_rejected(of_image, dtype):
    with pytest.raises(TypeError, match=r"^(image|estimate): expected floats in \[0, 1\], or uint8, got dtype"):
        of_image((WHOLE // 4).astype(dtype))


FEATURE_MAPS = ("positive", "hyperbolic", "trigonometric")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: [linear_attention(x, x, x, feature_map=name, causal=True, rng=0) for name in FEATURE_MAPS],
        lambda x: [linear_attention(x, x, x, feature_map=name, rng=0) for name in FEATURE_MAPS],
        lambda x: linear_attention(x, x, x, feature_map="dense_exponential", frequencies=x),
        lambda x: [feature_map(x, x) for feature_map in (positive_features, trigonometric_features)],
        lambda x: balance(x, centre_keys(x, queries=x)),
        lambda x: attention(x, x, x, mask=np.broadcast_to(True, (9, 9)), bias=x),
        lambda x: choose_bandwidth(x, x[:, 0], x[0], criterion="corrected_aic"),
        lambda x: local_linear(x, x, x[:, 0], x[0]),
        lambda x: unified.attend(x, x, *unified.factor(x), x),
        lambda x: denoise(x, x[None], 1.0, 1),
        lambda x: measure(x[None], x[None], x[None]),
    ],
)
def test_functions_leave_their_arguments_unchanged(call):
    points = 0.1 + WHOLE / 255
    points.flags.writeable = False
    call(points)


UNREADABLE = {
    "ragged": [[0.1] * 9] * 8 + [[0.1]],
    "masked": np.ma.masked_greater(WHOLE / 255, 0.9),
    "gradient": torch.from_numpy(WHOLE / 255).requires_grad_(),
    "bfloat16": torch.from_numpy(WHOLE / 255).to(torch.bfloat16),
    "text": "0.5",
    "none": None,
    "NaN": np.where(WHOLE > 250, np.nan, WHOLE / 255),
    "infinite": np.where(WHOLE > 250, np.inf, WHOLE / 255),
    "empty": np.zeros((0, 9)),
}


@everywhere
@pytest.mark.parametrize("bad", UNREADABLE)
def test_non_numeric_arrays_are_rejected(of_image, bad):
    with pytest.raises((TypeError, ValueError), match=r"^(image|estimate): expected .*, got"):
        of_image(UNREADABLE[bad])


def test_half_precision_becomes_single():
    assert floats("x", np.ones(3, np.float16)).dtype == np.float32
    for method in (attention, lambda *x: nadaraya_watson(*x, 1.0), lambda *x: filters.bilateral(x[0], 1.0, 0.3)):
        assert method(*np.ones((3, 9, 9), np.float16)).dtype == np.float32


def test_all_true_mask_equals_no_mask():
    np.testing.assert_array_equal(real_array("x", np.ma.masked_array([1.0, 2.0])), [1, 2])
    hides_one = np.ma.masked_greater([1.0, 2.0], 1.5)
    for bad in ([hides_one], [1.0, np.ma.masked], [[hides_one] * 2]):
        with pytest.raises(TypeError, match="^x: expected an array without a mask"):
            real_array("x", bad)


def test_pandas_tables_with_mixed_columns_are_accepted():
    table = pandas.DataFrame({"a": pandas.array([1, 2], "Int64"), "b": [0.5, 1.5]})
    np.testing.assert_array_equal(real_array("keys", table), [[1, 0.5], [2, 1.5]])
    with pytest.raises(TypeError, match="^keys: expected real numbers, got dtype object with"):
        real_array("keys", np.array([[1.0, pandas.NA]], dtype=object))


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.array(2.0), Fraction(4, 2), torch.tensor(2.0)])
def test_scalar_types_are_accepted(number):
    assert positive("x", number) == 2.0 and type(positive("x", number)) is float


FAR_OUT = [10**400, np.inf, np.nan]
if np.finfo(np.longdouble).max > np.finfo(np.float64).max:  # not on macOS
    FAR_OUT.append(np.longdouble("1e400"))


@pytest.mark.parametrize(
    "check, error, values",
    [
        (positive, TypeError, ["1.5", b"1.5", [2.0], np.ones(1), True, np.array(True), None, 1j, {}]),
        (positive, ValueError, [*FAR_OUT, 0, -1]),
        (lambda name, x: real_array(name, [1.0, x]), ValueError, FAR_OUT),
        (whole_number, TypeError, [1.0, "1", True, None, [1]]),
        (whole_number, ValueError, [0, -1, 10**400]),
    ],
)
def test_invalid_scalars_are_rejected(check, error, values):
    for bad in values:
        with rejected("x", error):
            check("x", bad)


def test_one_bandwidth_or_one_per_column():
    np.testing.assert_array_equal(bandwidth_per_axis(np.float32(2), 3), [2, 2, 2])
    np.testing.assert_array_equal(bandwidth_per_axis((1, 2), 2), [1, 2])
    with pytest.raises(ValueError, match="^bandwidth: expected rows of one length"):
        bandwidth_per_axis([[1.0], [1.0, 2.0]], 2)


WITH_RNG = {
    "iid_frequencies": lambda rng: iid_frequencies(3, 2, rng=rng),
    "orthogonal_frequencies": lambda rng: orthogonal_frequencies(3, 2, rng=rng),
    "linear_attention": lambda rng: linear_attention(np.eye(3), np.eye(3), np.arange(3.0), rng=rng),
    "add_noise": lambda rng: images.add_noise(np.zeros(3), 0.1, rng=rng),
    "standard_noise": lambda rng: images.standard_noise((3,), rng=rng),
    "noisy_sine": lambda rng: data.noisy_sine(5, rng=rng)[1],
    "periodic_task": lambda rng: periodic_task(np.zeros((5, 2)), 3, rng=rng).values,
    "recall_task": lambda rng: recall_task(np.eye(2), 3, rng=rng).values,
}


@pytest.mark.parametrize("call", WITH_RNG.values(), ids=WITH_RNG)
def test_rng_accepts_seed_generator_or_none(call):
    np.testing.assert_array_equal(call(7), call(np.random.default_rng(7)))
    rng = np.random.default_rng(7)  # advances with each call
    assert (call(None) != call(None)).any() and (call(rng) != call(rng)).any()
    for bad in ("a", -1, 1.5, [0.5]):
        with pytest.raises(TypeError, match="^rng: expected a numpy.random.Generator, .*, got"):
            call(bad)


@pytest.mark.parametrize("pixel", [3, (1.5, 2), (1,), (1, 2, 3), None, "ab", (9, 0), (0, 9), (-1, 0)])
@pytest.mark.parametrize(
    "weights_of",
    [
        lambda pixel: filters.bilateral_weights(WHOLE / 255, pixel, 1.0, 0.3),
        lambda pixel: filters.nonlocal_means_weights(WHOLE / 255, pixel, 0.3, 1, 2),
        lambda pixel: filters.lark_weights(WHOLE / 255, pixel, 2.0, 2),
        lambda pixel: patch_attention_weights(WHOLE / 255, pixel, *trained_maps()),
        lambda pixel: unified.window_weights(unified.classical_kernel(WHOLE / 255, 1.0, 2), pixel),
    ],
)
def test_pixel_indices_are_validated(weights_of, pixel):
    with rejected("pixel"):
        weights_of(pixel)


TOKENS = np.eye(3)


def by_heads(**options):
    tokens = np.ones((2, 4, 3)), np.ones((3, 4, 3)), np.ones((3, 4, 3))
    return multi_head_attention(*tokens, *np.ones((3, 1, 3, 3)), **options)


test_one_clear_error = rejects(
    ("axis", lambda: softmax(np.ones((2, 3)), axis=5)),
    ("size", lambda: images.texture(0)),
    ("size", lambda: images.step(2.5)),
    ("n_keys", lambda: data.noisy_sine(-1, rng=0)),
    ("noise_std", lambda: images.add_noise(np.zeros(3, np.float32), 1e200, rng=0)),
    ("mask", lambda: attention(np.eye(2), np.eye(2), np.ones(2), mask=[[True], [True, False]])),
    ("image_kernel", lambda: unified.smooth(None)),
    ("key_features", lambda: feature_average(np.ones((2, 3)), np.ones((2, 4)), np.ones(2))),
    ("query_features", lambda: feature_average([1.0], np.ones((2, 4)), np.ones(2))),
    ("mask", lambda: bandwidth_gradient(0.0, [0.0], [0.0], np.ones((1, 1)), np.ones((1, 1)), mask=[[1]])),
    ("values", lambda: by_heads(mask=np.ones((4, 4), bool))),
    ("targets", lambda: oracle_bandwidth(np.arange(3), np.arange(3), np.ones((3, 1)), np.ones(3), [1.0])),
    ("weights", lambda: average(1.0, np.ones(3))),
    ("log_weights", lambda: softmax(3.0)),
    ("targets", lambda: bandwidth_gradient(0.0, np.arange(3), np.arange(3), np.ones((3, 1)), np.ones(3))),
    ("values", lambda: score_gradient(np.ones((2, 3)), np.ones(3), np.ones(2))),
    ("keys", lambda: balance([[1e200, 1.0]], [[1.0, 1e200]])),
    ("bandwidth", lambda: fourier_features([[0.0], [1.0]], [[1.0]], 1e-320)),
    ("cell", lambda: filters.bilateral_grid(WHOLE / 255, 3.0, 1e-310)),
    ("values", lambda: average(np.ones((2, 4, 3)), np.ones((3, 3, 2)))),
    *[("causal", lambda bad=bad: linear_attention(TOKENS, TOKENS, TOKENS, causal=bad)) for bad in ("no", 0, None)],
    ("orthogonal", lambda: linear_attention(TOKENS, TOKENS, TOKENS, orthogonal=[True])),
    ("about_means", lambda: balance(TOKENS, TOKENS, about_means=1)),
)


def test_factory_functions_are_picklable():
    kernel = unified.nonlocal_means_kernel(WHOLE / 255, 0.3, [[1.0]], 2, noise_std=0.1)
    np.testing.assert_array_equal(unified.smooth(pickle.loads(pickle.dumps(kernel))), unified.smooth(kernel))
    truth = data.noisy_sine(rng=0)[2]
    assert pickle.loads(pickle.dumps(truth))(1.0) == truth(1.0)
