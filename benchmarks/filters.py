"""Compare the image filters with scikit-image, OpenCV and a pixel loop: ratios of times in one run, one thread.

Run by `make bench`. The image is `skimage.data.camera()`, 512 × 512, float32 unless stated otherwise. Ratios
compare the best times over interleaved repeats; memory is the peak allocated by the call. OpenCV's bilateral
filter averages over a disk, two thirds of the square used by the others, and its non-local means needs uint8. The
loop over pixels processes only some rows, and its time is extrapolated to all.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import cv2
import numpy as np
from skimage.data import camera
from skimage.restoration import denoise_bilateral, denoise_nl_means

from benchmarks.timing import beside_goal, best_times, megabytes
from lib.filters import bilateral, bilateral_grid, disk, lark, nonlocal_means, pilot_gradient, steering_matrices
from lib.images import add_noise

ROOT2 = np.sqrt(2)
cv2.setNumThreads(1)
GREY_LEVELS = camera()
IMAGE = (GREY_LEVELS / 255).astype(np.float32)


def report(title, ours, peers, repeats, shares=None, goal=1):
    """Print times, ratios beside their goal, and memory; `shares` gives the part of the work that a peer did."""
    times = best_times(ours | peers, repeats)
    times = {name: seconds / (shares or {}).get(name, 1) for name, seconds in times.items()}
    print(f"\n{title}")
    for name, seconds in times.items():
        print(f"  {name:28} {seconds * 1e3:9.1f} ms")
    for name, function in ours.items():
        for peer in peers:
            print(f"  {name}, speed of {peer}: {beside_goal(times[peer] / times[name], at_least=goal)}")
        print(f"  {name}: {megabytes(function):.1f} MB beyond the image")


def compare_bilateral(window=13, std_space=2.0, std_value=0.1):
    ours = lambda image: bilateral(image, std_space * ROOT2, std_value * ROOT2, radius=window // 2)
    theirs = lambda **options: denoise_bilateral(
        IMAGE, win_size=window, sigma_color=std_value, sigma_spatial=std_space, **options
    )
    report(
        f"Bilateral, {window} × {window}",
        {"lib.filters": lambda: ours(IMAGE), "lib.filters, float64": lambda: ours(IMAGE.astype(np.float64))},
        {
            "scikit-image": theirs,
            "scikit-image, mirrored": lambda: theirs(mode="reflect"),
            "OpenCV": lambda: cv2.bilateralFilter(IMAGE, window, std_value, std_space),
        },
        repeats=9,
    )


def compare_bilateral_grid(h_x, h_y=0.3):
    ours = lambda: bilateral_grid(IMAGE, h_x, h_y)
    exact = lambda: bilateral(IMAGE, h_x, h_y)
    error = float(np.sqrt(np.mean((ours() - exact()) ** 2)))
    report(
        f"Bilateral grid, h_x = {h_x}, h_y = {h_y}: root mean square error {255 * error:.2f}/255",
        {"bilateral_grid": ours},
        {"the exact filter": exact},
        repeats=3,
    )


def compare_nonlocal_means(patch=7, search=21, h=0.1):
    ours = lambda kind: nonlocal_means(IMAGE, h, patch // 2, search // 2, kind)
    report(
        f"Non-local means, patches of {patch} × {patch} in {search} × {search}",
        {"lib.filters, uniform": lambda: ours("uniform"), "lib.filters, Gaussian": lambda: ours("gaussian")},
        {
            "scikit-image, fast": lambda: denoise_nl_means(IMAGE, patch, search // 2, h=h, fast_mode=True),
            "OpenCV, uint8": lambda: cv2.fastNlMeansDenoising(GREY_LEVELS, None, 255 * h, patch, search),
        },
        repeats=5,
    )


def steering_by_pixel(image, rows):
    """Compute steering matrices of the first rows pixel by pixel with an SVD, like the toolbox's first loop."""
    kernel, result = disk(5), np.empty((rows, image.shape[1], 2, 2))
    padded = np.pad(255 * np.moveaxis(pilot_gradient(image), -1, 0), [(0, 0), (5, 5), (5, 5)], mode="reflect")
    for row, column in np.ndindex(result.shape[:2]):
        gradients = padded[:, row : row + 11, column : column + 11] * kernel
        _, (s1, s2), (v1, v2) = np.linalg.svd(gradients.reshape(2, -1).T, full_matrices=False)
        stretch, scale = (s1 + 1) / (s2 + 1), np.sqrt((s1 * s2 + 1e-7) / kernel.sum())
        result[row, column] = scale * (stretch * np.outer(v1, v1) + np.outer(v2, v2) / stretch)
    return result


def estimate_by_pixel(image, matrices, h, radius, order, rows):
    """Compute weights and least squares in the first rows pixel by pixel, like the toolbox's second loop."""
    result, side = np.empty((rows, image.shape[1])), 2 * radius + 1
    padded = np.pad(image, radius, mode="reflect")
    metric = np.stack([matrices[..., 0, 0], matrices[..., 0, 1], matrices[..., 1, 1]])
    metric = np.concatenate([metric, np.sqrt(np.linalg.det(matrices))[None]])
    metric = np.pad(metric, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    down, right = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    design = np.stack([np.ones_like(down), down, right, down**2, down * right, right**2]).reshape(6, -1)
    for row, column in np.ndindex(result.shape):
        c11, c12, c22, root = metric[:, row : row + side, column : column + side]
        squared = c11 * down**2 + 2 * c12 * down * right + c22 * right**2
        weights, values = root * np.exp(-squared / (2 * h**2)), padded[row : row + side, column : column + side]
        if order == 0:
            result[row, column] = (weights * values).sum() / weights.sum()
        else:
            weighted = design * weights.ravel()
            result[row, column] = np.linalg.solve(weighted @ design.T, weighted @ values.ravel())[0]
    return result


def compare_lark(order, radius, h=2.4, rows=16):
    noisy = add_noise(IMAGE.astype(np.float64), 25 / 255, rng=np.random.default_rng(0))
    single, matrices = noisy.astype(np.float32), steering_matrices(noisy)
    by_pixel = lambda: (steering_by_pixel(noisy, rows), estimate_by_pixel(noisy, matrices, h, radius, order, rows))
    ours = lambda: lark(noisy, h, radius, order)
    assert np.abs(by_pixel()[0] - matrices[:rows]).max() < 1e-9 * np.abs(matrices).max()
    assert np.abs(by_pixel()[1] - ours()[:rows]).max() < 1e-6
    report(
        f"LARK, order {order}, {2 * radius + 1} × {2 * radius + 1}; the loop took {rows} rows of {len(noisy)}",
        {"lib.filters": lambda: lark(single, h, radius, order), "lib.filters, float64": ours},
        {"loop over pixels": by_pixel},
        repeats=3,
        shares={"loop over pixels": rows / len(noisy)},
        goal=50,
    )


def memory_of_a_photograph(height=3000, width=4000):
    """Print the additional memory for a 12-megapixel photograph; it does not depend on the window size."""
    photograph = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    print(f"\nA photograph of {height} × {width}, uint8")
    for name, function in {
        "bilateral": lambda: bilateral(photograph, 2.0, 0.1, radius=1),
        "non-local means": lambda: nonlocal_means(photograph, 0.1, 1, 1),
        "LARK, one channel": lambda: lark(photograph[..., 0], 1.5, radius=1),
    }.items():
        print(f"  {name}: {megabytes(function):.0f} MB beyond the image")


if __name__ == "__main__":
    compare_bilateral()
    for h_x in (4, 8, 16):
        compare_bilateral_grid(h_x)
    compare_nonlocal_means()
    compare_lark(order=0, radius=5)
    compare_lark(order=2, radius=10)
    memory_of_a_photograph()
