"""The inpainting figure: its numbers compared with `lib.filters`, and the input that it rejects."""

import numpy as np
import pytest

from lib.figures import inpainting_figure
from lib.filters import local_plane, plane_at
from lib.heads import keys_for_90_percent
from lib.images import camera, psnr
from lib.weights import softmax
from tests.gestures import SET, settled

PHOTO = camera()
RANDOM = np.random.default_rng(1).random(PHOTO.shape)
EDGE = (103, 44)


@pytest.mark.parametrize("missing, circles, ellipses", [(85, 1.3, 1.7), (50, 0.8, 2.0), (90, 1.5, 4.0)])
def test_numbers_match_lib(missing, circles, ellipses, show):
    page = show(inpainting_figure(pixel=EDGE).figure)
    page.evaluate(SET, {"missing": missing, "bandwidth_circles": circles, "bandwidth_ellipses": ellipses})
    known = RANDOM > missing / 100
    by_circles, slope = local_plane(PHOTO, known, circles)
    by_ellipses, _ = local_plane(PHOTO, known, ellipses, slope=slope)
    for kernel, h, image in (("circles", circles, by_circles), ("ellipses", ellipses, by_ellipses)):
        page.evaluate(SET, {"kernel_index": ["circles", "ellipses"].index(kernel)})
        now = settled(page)
        assert (now["kernel"], now["bandwidth"], now["missing"]) == (kernel, h, missing)
        np.testing.assert_allclose([now["estimate"], now["truth"]], [image[EDGE], PHOTO[EDGE]], rtol=0, atol=1e-9)
        found = psnr(image[~known], PHOTO[~known])
        np.testing.assert_allclose(now[f"{kernel}_psnr"], found, rtol=0, atol=1e-6)


def test_known_pixels_around_the_query_match_the_definition(page, show):
    now = settled(show(inpainting_figure(pixel=EDGE).figure))
    positions = np.argwhere(RANDOM > 0.85)
    near = positions[np.abs(positions - EDGE).max(axis=1) <= 8]
    weights = softmax(-np.sum((near - EDGE) ** 2, axis=1) / (2 * 1.3**2))
    assert now["n_keys"] == len(near) == page.locator(".samples circle").count()
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights[None])
    height, _ = plane_at(np.array(EDGE), near, PHOTO[tuple(near.T)], np.tile(np.eye(2), (len(near), 1, 1)), 1.3)
    assert abs(now["estimate"] - height) < 1e-9


def test_slider_ends_before_windows_lack_a_plane():
    low, most, step = inpainting_figure(missing=95).figure.settings["missing"]["grid"]
    assert (low, step) == (50, 1) and 90 <= most == inpainting_figure(missing=95).figure.missing
    lacks = [
        np.isnan(local_plane(PHOTO, RANDOM > share / 100, h)[0]).any()
        for share in (most, most + 1)
        for h in (1, 4)
    ]
    assert lacks == [False, False, True, True]
