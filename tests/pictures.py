"""Pixels of what a live figure shows."""

import base64
import io
import math
import re

import numpy as np
from PIL import Image


def pixels_of(page, selector):
    """What a canvas holds, `(height, width, 3)` bytes."""
    height, width, data = page.locator(selector).evaluate(
        "c => [c.height, c.width, [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]]"
    )
    return np.array(data).reshape(height, width, 4)[..., :3]


def as_bytes(image):
    return np.broadcast_to(np.floor(255 * np.clip(np.atleast_3d(image), 0, 1) + 0.5), (*image.shape[:2], 3))


def numbers_and_pixels(svg):
    """A still picture as its words, its numbers, and its photographs."""
    photographs = re.findall('href="data:image/png;base64,([^"]*)"', svg)
    drawing = re.sub('href="data:[^"]*"', "", svg)
    number = r"-?\d+\.?\d*"
    pixels = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(photograph))).convert("RGB")) / 255
        for photograph in photographs
    ]
    return re.sub(number, "0", drawing), np.array(re.findall(number, drawing), float), pixels


def smallest_word(path, width, height=math.inf):
    """The pixels of the smallest word of an SVG that fills a box. A subscript counts with its word."""
    svg = path.read_text("utf8")
    words = re.findall(r"<text.*?</text>", svg, re.DOTALL)
    sizes = [max(map(float, re.findall(r"(?:font|font-size): (?:[a-z]+ )*([\d.]+)px", word))) for word in words]
    across, down = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    return min(sizes, default=math.inf) * min(width / across, height / down)
