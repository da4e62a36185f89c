"""The small denoising network against PyTorch, and the input that it rejects."""

import numpy as np
import torch

from lib.denoising_network import load
from lib.images import digits
from tests.invalid_input import rejects
from tools.train.train_denoiser import Network


def test_network_matches_torch_training():
    """The training tool's network with the same parameters gives the same estimates."""
    network, trained = load(), Network()
    with torch.no_grad():
        for layer, stored in zip(trained.layers, network.layers, strict=True):
            layer.weight.copy_(torch.from_numpy(stored.kernel))
            layer.bias.copy_(torch.from_numpy(stored.bias))
        for noise_std in (0.1, 1.0, 7.0):
            noisy = digits(unseen=True)[4] + noise_std * np.random.default_rng(0).normal(size=(28, 28))
            expected = trained(torch.from_numpy(noisy).float()[None], torch.tensor([noise_std]))[0].numpy()
            np.testing.assert_allclose(network(noisy, noise_std), expected, atol=2e-5)


test_invalid_input_is_rejected = rejects(
    ("noisy", lambda: load()(np.zeros(28), 1.0)),
    ("noisy", lambda: load()(np.full((5, 5), np.nan), 1.0)),
    ("noise_std", lambda: load()(np.zeros((5, 5)), 0.0)),
)
