"""Batches of colour pictures beside PyTorch."""

import numpy as np
import torch

from lib.diffusion import denoise, denoise_weights, score


def test_colour_pictures_and_batches_equal_pytorch():
    rng = np.random.default_rng(4)
    pictures, noisy = rng.uniform(-1, 1, (300, 5, 3, 3)), rng.normal(size=(2, 4, 5, 3, 3))
    flat = [torch.from_numpy(x.reshape(-1, 45)) for x in (noisy, pictures)]
    weights = torch.softmax(-(torch.cdist(*flat) ** 2) / (2 * 0.7**2), dim=1)
    np.testing.assert_allclose(
        denoise_weights(noisy, pictures, 0.7), weights.reshape(2, 4, 300), rtol=1e-9, atol=1e-12
    )
    expected = (weights @ flat[1]).reshape(noisy.shape).numpy()
    np.testing.assert_allclose(denoise(noisy, pictures, 0.7), expected, atol=1e-12)
    np.testing.assert_allclose(score(noisy, pictures, 0.7), (expected - noisy) / 0.7**2, atol=1e-10)
    np.testing.assert_allclose(denoise(noisy, pictures, 0.7, patch_radius=5), expected, atol=1e-12)
