"""A small network trained by least squares to approximate `lib.diffusion.denoise`.

It has five layers of 3 × 3 convolutions with 28,641 parameters. Its training set is the thousand training digits
of `lib.images.digits`; `tools/train/train_denoiser.py` is the training script.
"""

from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lib.checks import positive, real_array

FILE = Path(__file__).parent / "datasets" / "denoiser.npz"
DILATIONS = (1, 2, 4, 2, 1)  # per layer; together they reach ten pixels to each side


class Layer(NamedTuple):
    """A convolution: kernel (n_out, n_in, 3, 3), bias (n_out,)."""

    kernel: np.ndarray
    bias: np.ndarray
    dilation: int

    def __call__(self, channels):
        """Map (n_in, H, W) to (n_out, H, W); outside the image all channels are 0."""
        step, (height, width) = self.dilation, channels.shape[1:]
        padded = np.pad(channels, ((0, 0), (step, step), (step, step)))
        total = np.broadcast_to(self.bias[:, None, None], (len(self.bias), height, width))
        for row, column in product(range(3), repeat=2):
            shifted = padded[:, row * step : row * step + height, column * step : column * step + width]
            total = total + np.tensordot(self.kernel[:, :, row, column], shifted, axes=1)
        return total


class Network(NamedTuple):
    """The trained denoiser, a callable."""

    layers: tuple

    def __call__(self, noisy, noise_std):
        """Estimate the clean image.

        Parameters
        ----------
        noisy : (H, W) array
            In the units of the digits, whose range is [−1, 1].
        noise_std : float > 0
            The network was trained on levels from about 0.1 to 10.

        Returns
        -------
        (H, W) array

        Notes
        -----
        The layers receive q/√(1 + σ²), and their output is scaled so that the estimate is close to q at low noise:
        Karras et al. (2022), with a data standard deviation of 1.
        """
        noisy, noise_std = real_array("noisy", noisy), positive("noise_std", noise_std)
        if noisy.ndim != 2:
            raise ValueError(f"noisy: expected shape (H, W), got {noisy.shape}")
        scale = np.hypot(1, noise_std)
        first, *middle, last = self.layers
        hidden = np.maximum(first(np.stack([noisy / scale, np.full(noisy.shape, np.log(noise_std) / 4)])), 0)
        for layer in middle:
            hidden = hidden + np.maximum(layer(hidden), 0)
        return noisy / scale**2 + noise_std / scale * last(hidden)[0]


def load():
    """Load the network trained by `tools/train/train_denoiser.py`.

    Returns
    -------
    Network, a function (noisy, noise_std) → (H, W) array

    Examples
    --------
    >>> from lib.images import digits
    >>> network, digit = load(), digits(unseen=True)[3]
    >>> noisy = digit + 0.5 * np.random.default_rng(0).normal(size=digit.shape)
    >>> bool(np.abs(network(noisy, 0.5) - digit).mean() < np.abs(noisy - digit).mean() / 4)
    True
    """
    with np.load(FILE) as arrays:
        numbers = {name: arrays[name].astype(np.float32) for name in arrays.files}
    return Network(tuple(Layer(numbers[f"kernel_{i}"], numbers[f"bias_{i}"], d) for i, d in enumerate(DILATIONS)))
