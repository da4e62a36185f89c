"""Pixels of what a live figure shows."""

import base64
import io
import math
import re

import numpy as np
from PIL import Image


def pixels_of(page, selector):
    """Return the content of a canvas as bytes of shape `(height, width, 3)`."""
    height, width, data = page.locator(selector).evaluate(
        "c => [c.height, c.width, [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]]"
    )
    return np.array(data).reshape(height, width, 4)[..., :3]


def as_bytes(image):
    return np.broadcast_to(np.floor(255 * np.clip(np.atleast_3d(image), 0, 1) + 0.5), (*image.shape[:2], 3))


def numbers_and_pixels(svg):
    """Split a still picture into its text, its numbers and its photographs."""
    photographs = re.findall('href="data:image/(?:png|jpeg);base64,([^"]*)"', svg)
    drawing = re.sub('href="data:[^"]*"', "", svg)
    number = r"-?\d+\.?\d*"
    pixels = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(photograph))).convert("RGB")) / 255
        for photograph in photographs
    ]
    return re.sub(number, "0", drawing), np.array(re.findall(number, drawing), float), pixels


def smallest_word(path, width, height=math.inf):
    """Return the smallest text size of an SVG scaled to fill a box, in pixels. A subscript belongs to its text."""
    svg = path.read_text("utf8")
    words = re.findall(r"<text.*?</text>", svg, re.DOTALL)
    sizes = [max(map(float, re.findall(r"(?:font|font-size): (?:[a-z]+ )*([\d.]+)px", word))) for word in words]
    across, down = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    return min(sizes, default=math.inf) * min(width / across, height / down)


def assert_map_shows(page, where, weights, n_keys):
    """Check that each key has one cell whose shade is its weight, and that the `n_keys` heaviest are outlined."""
    levels = np.zeros_like(weights)
    for k, cells in enumerate(page.locator(f"{where} .shades path").all()):
        for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", cells.get_attribute("d")):
            levels[int(row), int(column)] = (k + 1) / 32
    np.testing.assert_allclose(levels, weights / weights.max(), atol=0.5 / 32 + 1e-9, err_msg=where)
    heaviest = np.pad(weights >= np.sort(weights.ravel())[-n_keys], 1).astype(int)
    edges = sum(np.abs(np.diff(heaviest, axis=axis)).sum() for axis in (0, 1))
    assert page.locator(f"{where} .most").get_attribute("d").count("M") == edges, where
