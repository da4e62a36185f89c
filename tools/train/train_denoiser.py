"""Train the network of `lib.denoising_network` and store it in lib/datasets/denoiser.npz.

Run as `.venv/bin/python -m tools.train.train_denoiser`: two minutes on one core. Training by least squares: the
input is a training digit with fresh noise of a random level, and the target is the digit. The test digits are
never used.
"""

import numpy as np
import torch
from torch import nn

from lib.denoising_network import DILATIONS, FILE
from lib.images import digits

CHANNELS, STEPS, BATCH, RATE = 32, 2000, 16, 3e-3


class Network(nn.Module):
    """Convolutions of 3 × 3, each with its own dilation."""

    def __init__(self):
        super().__init__()
        widths = [2, *[CHANNELS] * (len(DILATIONS) - 1), 1]
        self.layers = nn.ModuleList(
            nn.Conv2d(n_in, n_out, 3, padding=step, dilation=step)
            for n_in, n_out, step in zip(widths, widths[1:], DILATIONS, strict=False)
        )
        nn.init.zeros_(self.layers[-1].weight)

    def forward(self, noisy, noise_std):
        """Return the estimates of the clean images, (n, H, W), for noise levels (n,)."""
        noise_std = noise_std[:, None, None]
        scale = (1 + noise_std**2).sqrt()
        inputs = torch.stack([noisy / scale, (noise_std.log() / 4).expand_as(noisy)], dim=1)
        first, *middle, last = self.layers
        hidden = torch.relu(first(inputs))
        for layer in middle:
            hidden = hidden + torch.relu(layer(hidden))
        return noisy / scale**2 + noise_std / scale * last(hidden)[:, 0]


def train(steps=STEPS, seed=0):
    """Return the trained network. Each noise level is weighted by the reducible part of its error."""
    torch.manual_seed(seed)
    known, network = torch.from_numpy(digits()), Network()
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 100) * (1 - step / steps)
        clean = known[torch.randint(len(known), (BATCH,))]
        noise_std = torch.exp(1.2 * torch.randn(BATCH))
        noisy = clean + noise_std[:, None, None] * torch.randn_like(clean)
        errors = (network(noisy, noise_std) - clean) ** 2
        loss = ((1 + noise_std**-2)[:, None, None] * errors).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 250 == 0:
            print(f"step {step}: {loss.item():.3f}", flush=True)
    return network


def store(network):
    """Return the kernels and biases in half precision."""
    arrays = {}
    for number, layer in enumerate(network.layers):
        arrays[f"kernel_{number}"] = layer.weight.detach().numpy().astype(np.float16)
        arrays[f"bias_{number}"] = layer.bias.detach().numpy().astype(np.float16)
    np.savez_compressed(FILE, **arrays)


if __name__ == "__main__":
    store(train())
