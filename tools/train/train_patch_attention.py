"""Train the projections of `lib.patch_attention` and store them in lib/datasets/patch_attention.npz.

Run as `.venv/bin/python -m tools.train.train_patch_attention`: half a minute. W_q and W_k are initialised so that
attention is non-local means, and are trained by gradient descent on the squared error of random pixels of three
photographs with fresh noise. The photographs come with scikit-image (astronaut: NASA, public domain; coffee:
Rachel Michetti, CC0; rocket: SpaceX, public domain). The photograph that the course filters,
`lib.images.camera()`, is not among them.
"""

import numpy as np

from lib.constants import BRIGHTNESS
from lib.filters import nonlocal_means
from lib.images import add_noise, camera, psnr
from lib.learning import Task, descend, projection_gradients
from lib.patch_attention import MIDDLE, TRAINED_MAPS, nonlocal_means_matrix, patch_attention, window_tokens
from lib.unified import factor

NOISE_STD = 25 / 255
TILE, TILES, PIXELS = 64, 4, 128  # each step uses 128 pixels from each of 4 tiles of 64 × 64
BANDWIDTH = 0.1  # of the initial non-local means


def photographs():
    """Return three photographs in grey, at half their size as the course's own."""
    from skimage import data

    images = []
    for image in (data.astronaut(), data.coffee(), data.rocket()):
        grey = image[: len(image) // 2 * 2] / 255 @ BRIGHTNESS
        images.append(grey.reshape(len(grey) // 2, 2, -1, 2).mean(axis=(1, 3)).astype(np.float32))
    return images


def sample_task(images, rng):
    """Return noisy windows around random pixels, and the clean pixels as targets."""
    tokens, values, targets = [], [], []
    for _ in range(TILES):
        image = images[rng.integers(len(images))]
        top, left = (rng.integers(0, n - TILE + 1) for n in image.shape)
        tile = image[top : top + TILE, left : left + TILE]
        rows, columns = rng.integers(0, TILE, size=(2, PIXELS))
        some_tokens, some_values = window_tokens(add_noise(tile, NOISE_STD, rng=rng))(rows, columns)
        tokens.append(some_tokens)
        values.append(some_values)
        targets.append(tile[rows, columns, None, None])
    tokens, values, targets = (np.concatenate(parts) for parts in (tokens, values, targets))
    return Task(tokens[:, None, MIDDLE], tokens, values, targets)


def initial_maps():
    """Return W_q and W_k for which attention is non-local means."""
    matrix = nonlocal_means_matrix(BANDWIDTH)
    return [each.astype(np.float32) for each in factor(np.sqrt(len(matrix)) * matrix, rank=len(matrix))]


def train(n_steps=1000, step_size=100.0, rng=None, images=None):
    """Train from non-local means; the final projections are `training.parameters`."""
    rng = np.random.default_rng(0) if rng is None else rng
    images = photographs() if images is None else images
    return descend(
        lambda *maps: projection_gradients(*maps, *sample_task(images, rng)),
        initial_maps(),
        n_steps,
        step_size,
    )


def main():
    maps = train().parameters
    np.savez(TRAINED_MAPS, query_map=maps[0], key_map=maps[1])
    noisy = add_noise(camera(), NOISE_STD, rng=np.random.default_rng(1))
    print(f"stored {TRAINED_MAPS.stat().st_size / 1e3:.1f} kB; on an unseen photograph, in dB:")
    for name, estimate in {
        "noisy": noisy,
        "non-local means, h = 0.1": nonlocal_means(noisy, BANDWIDTH, 2, 7, "uniform"),
        "attention, before": patch_attention(noisy, *initial_maps()),
        "attention, trained": patch_attention(noisy, *maps),
    }.items():
        print(f"  {name:26} {psnr(estimate, camera()):.2f}")


if __name__ == "__main__":
    main()
