"""Denoise the photograph of the front page with each year's method: lib/datasets/cat_face_<year>.webp.

Run as `.venv/bin/python -m tools.train.clean_cat [YEAR …]`: six minutes, nearly all of them for 2020. The page
shows these results; it computes the weights of the selected pixel itself.
"""

import sys

import numpy as np
from PIL import Image

from lib.images import DATASETS, cat_face, psnr
from lib.years import METHODS, cleaned, noisy

QUALITY = 80


def main():
    image = noisy(cat_face())
    for year in map(int, sys.argv[1:] or METHODS):
        copy, target = np.clip(cleaned(image, year), 0, 1), DATASETS / f"cat_face_{year}.webp"
        Image.fromarray(np.rint(255 * copy).astype(np.uint8)).save(target, quality=QUALITY, method=6)
        print(f"{target.name}: {psnr(copy, cat_face()):.1f} dB, {target.stat().st_size / 1000:.1f} kB", flush=True)


if __name__ == "__main__":
    main()
