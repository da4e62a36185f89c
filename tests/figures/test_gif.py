"""The GIF encoder of the figures: a different decoder reads back the images."""

import subprocess
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from tests.conftest import ROOT

WIDTH, HEIGHT, COUNT = 90, 60, 5
ENCODE = """
import { createGif, paletteOf } from "%s/lib/figures/parts/gif.js";
import { readFileSync } from "node:fs";
const [width, height, count] = process.argv.slice(1).map(Number);
const bytes = new Uint8ClampedArray(readFileSync(0)), size = 4 * width * height;
const part = (k) => bytes.slice(k * size, (k + 1) * size);
const images = Array.from({ length: count }, (_, k) => ({ width, height, data: part(k) }));
const gif = createGif(width, height, paletteOf(images));
images.forEach((image) => gif.add(image, 1000 / 15));
process.stdout.write(new Uint8Array(await gif.file().arrayBuffer()));
"""


def encoded(images):
    """Encode images `(count, HEIGHT, WIDTH, 3)` by the script."""
    opaque = np.concatenate([images, np.full((*images.shape[:3], 1), 255)], axis=-1).astype(np.uint8)
    size = [str(n) for n in (WIDTH, HEIGHT, len(images))]
    command = ["node", "--input-type=module", "-e", ENCODE % ROOT.as_uri(), "--", *size]
    return subprocess.run(command, input=opaque.tobytes(), capture_output=True, check=True).stdout


def decoded(content):
    gif, images, durations = Image.open(BytesIO(content)), [], []
    for index in range(gif.n_frames):
        gif.seek(index)
        images.append(np.asarray(gif.convert("RGB"), float))
        durations.append(gif.info["duration"])
    return np.array(images), durations


def drawings(rng):
    """A disc of few colours that moves over paper, as in a figure."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    colors = rng.integers(0, 256, (100, 3))
    stripes = colors[(columns // 3) % 100]
    return np.array(
        [np.where(np.hypot(rows - 30, columns - 20 - 9 * k)[..., None] < 15, stripes, 250) for k in range(COUNT)]
    )


def test_gif_keeps_few_colors_to_six_bits():
    images = drawings(np.random.default_rng(0))
    found, durations = decoded(encoded(images))
    assert np.abs(found - images).max() <= 3  # a channel keeps six bits
    assert sum(durations) == 330  # in hundredths, 33.3


@pytest.mark.parametrize("seed", range(3))
def test_gif_of_noise_fills_and_clears_its_dictionary(seed):
    images = np.random.default_rng(seed).integers(0, 256, (COUNT, HEIGHT, WIDTH, 3))
    found, _ = decoded(encoded(images))
    assert found.shape == images.shape and np.abs(found - images).mean() < 16  # 255 of 16 million colours


def test_gif_of_equal_images_is_small():
    one, many = (len(encoded(np.repeat(drawings(np.random.default_rng(0))[:1], n, axis=0))) for n in (1, COUNT))
    assert many - one < 40 * COUNT
