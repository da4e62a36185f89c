"""Exercises of chapter 2: wrong answers with the check's reply, and unusual correct ones."""

FILTER = """
def answer(image, guide, h_x, h_y):
    radius = {radius}
    height, width = image.shape
    around, guide_around = (np.pad(array, radius, mode="{mode}") for array in (image, guide))
    total, weight_sum = 0.0, 0.0
    for row in range(2 * radius + 1):
        for column in range(2 * radius + 1):
            squared = (row - radius) ** 2 + (column - radius) ** 2
            if {left_out}:
                continue
            part = slice(row, row + height), slice(column, column + width)
            kernel = {kernel}
            total, weight_sum = total + kernel * {averaged}, weight_sum + kernel
    return {result}


check_cross_bilateral(answer)
"""
PARTS = {
    "radius": "math.ceil(2.2 * h_x)",
    "mode": "reflect",
    "left_out": "False",
    "kernel": "np.exp(-squared / h_x**2 - ((guide_around[part] - guide) / h_y) ** 2)",
    "averaged": "around[part]",
    "result": "total / weight_sum",
}


def cross(**parts):
    """Return a cross bilateral filter with some parts replaced."""
    return FILTER.format(**(PARTS | parts))


GAINS = """
image = with_noise(photo, 20)
guided = images.psnr(over_offsets(image, gaussian(image, 0.8), 2.5, 0.15, 6), photo)
before, unfiltered = images.psnr(bilateral(image, 1.75, 0.3), photo), images.psnr(image, photo)
check_gains({}, {})
"""
LEFT = "2 * s * s / (2 * s * s + h * h)"


def share(left, bandwidth=None):
    given = f"lambda h, s: {left}" if bandwidth is None else f"lambda h, s: {left}, lambda p, s: {bandwidth}"
    return f"check_share({given})"


def gains(on_photograph, on_own="images.brick_wall(), 1.87"):
    return GAINS.format(on_photograph, on_own)


def measured(thresholds):
    return f"check_threshold([0.088, 0.177, 0.354], {thresholds})"


STEIN = """
def answer(denoise, y, s):
    signs, step = np.random.default_rng(3).choice([-1, 1], y.shape), 1e-4
    estimate = denoise(y)
    follows = np.mean(signs * (denoise(y + step * signs) - estimate)) / step
    residual = np.mean((estimate - y) ** 2)
    {}


"""


def stein(result):
    """Return an answer to exercise 2.4 whose last line returns `result`."""
    return STEIN.format(f"return {result}") + "check_stein(answer)"


WRONG = {
    "exercise-1": [
        (share("1 / (1 + h**2 / s**2)"), "mind the 2: the density has 2σ²"),
        (share("1 / (1 + 2 * h**2 / s**2)"), "the 2 stands with σ², not with h²"),
        (share("h**2 / (h**2 + 2 * s**2)"), "the share that is removed"),
        (share("1 / (1 + h**2 / (2 * s**2)) ** 2"), "the share of the variance"),
        (share("1 / (1 + s**2 / (2 * h**2))"), "h and σ are exchanged"),
        (share("1 - h**2 / (2 * s**2)"), "without the blur of the density"),
        (share("1 / (1 + h / (np.sqrt(2) * s))"), "a root too many"),
        (share("1 / (1 + max(h**2, 0.04) / (2 * s**2))"), "as h_y → 0 all noise stays"),
        (share("1 / (1 + min(h / s, 7.0) ** 2 / 2)"), "h_y = 9.0, σ = 0.7: expected"),
        (share(LEFT, "s * np.sqrt(2 / max(p, 0.1) - 2)"), "a share of 0.020"),
        (share(LEFT, "2 * s * s * (1 / p - 1)"), "take the root"),
        (share(LEFT, "s * (1 / p - 1) ** 0.5"), "asked is h_y"),
    ],
    "exercise-2": [
        (cross(mode="symmetric"), "symmetric padding repeats the border"),
        (cross(mode="edge"), "edge padding repeats the border"),
        (cross(mode="constant"), "zeros outside the image count as pixels"),
        (cross(mode="wrap"), "the borders wrap around"),
        (cross(left_out="squared > radius**2"), "the window is a disk"),
        (cross(radius="math.ceil(3 * h_x)"), "the radius is ⌈2.2·h_x⌉, not ⌈3·h_x⌉"),
        (cross(radius="int(2.2 * h_x)"), "the radius is rounded up"),
        (cross(radius="int(2.2 * h_x) + 1"), "h_x = 5.0, h_y = 0.3: the weights differ"),
        (
            cross(kernel="np.exp(-squared / (2 * h_x**2) - ((guide_around[part] - guide) / h_y) ** 2 / 2)"),
            "σ for h: the exponents",
        ),
        (cross(kernel="np.exp(-squared / (2 * h_x**2) - ((guide_around[part] - guide) / h_y) ** 2)"), "σ for h_x"),
        (cross(kernel="np.exp(-squared / h_x**2 - ((guide_around[part] - guide) / h_y) ** 2 / 2)"), "σ for h_y"),
        (cross(averaged="guide_around[part]"), "the guide is averaged"),
        ("check_cross_bilateral(lambda image, guide, *h: bilateral(image, *h))", "image is compared with itself"),
        ("check_cross_bilateral(lambda image, guide, h_x, h_y: gaussian(image, h_x))", "this is the blur"),
        (cross(kernel="np.exp(-(((guide_around[part] - guide) / h_y) ** 2))"), "by the kernel of positions"),
        ("check_cross_bilateral(lambda image, *_: image)", "this is the image as it came"),
        ("check_cross_bilateral(lambda image, *_: image[2:-2, 2:-2])", "expected the shape"),
        ("check_cross_bilateral(lambda *_: 'blurred')", "expected an array of numbers"),
        (gains("guided"), "the photograph: this is the PSNR itself"),
        (gains("before - guided"), "the photograph: the sign"),
        (gains("guided - unfiltered"), "the gain over the noisy image"),
        (gains("guided - before", "images.brick_wall(), 0.8"), "your picture: expected the difference"),
        (gains("guided - before", "images.cat(), 0.3"), r"your picture: expected \(H, W\)"),
        (gains("guided - before", "255 * photo, 0.8"), "your picture: expected values from 0 to 1"),
        (cross(result="np.clip(total / weight_sum, 0, 1)"), "the result is cut off at 0 and 1"),
        (cross(result="image.fill(0) or total / weight_sum"), "the function overwrites what it was given"),
        (gains("guided - before", "photo, guided - before"), "this is the photograph again"),
    ],
    "exercise-3": [
        ("check_threshold([h / 32 for h in (2, 4, 8)], [0.08, 0.17, 0.30])", "this is r = 1"),
        ("check_threshold([h / 32 / 2**0.5 for h in (2, 4, 8)], [0.08, 0.17, 0.30])", "the √2 multiplies"),
        ("check_threshold([h / 16 for h in (2, 4, 8)], [0.08, 0.17, 0.30])", "r is a square"),
        ("check_threshold([h / 8 * 2**0.5 for h in (2, 4, 8)], [0.08, 0.17, 0.30])", "1/32, not 1/8"),
        ("check_threshold(0.177, 0.17)", "predicted: expected three numbers"),
        ("check_threshold([0.1, 0.2, 0.3], [0.08, 0.17, 0.30])", "solve r = 1/2 for h_y"),
        (measured("[0.088, 0.177, 0.354]"), "these are the predicted numbers"),
        (measured("[0.08, 0.17, 0.35]"), "h_x = 8: at h_y = 0.35 one pass does not"),
        (measured("[0.08, 0.10, 0.30]"), "h_x = 4: at h_y = 0.11 one pass steepens"),
        (measured("[0, 0.17, 0.30]"), "expected a bandwidth above 0"),
        (measured("[0.085, 0.175, 0.305]"), "expected multiples of 0.01"),
    ],
    "exercise-4": [
        (stein("residual"), "two terms are missing"),
        (stein("residual + 2 * s**2 * follows"), "the variance is not subtracted"),
        (stein("residual - s**2 + s**2 * follows"), "its factor is 2σ²"),
        (stein("residual - s**2 - 2 * s**2 * follows"), "so it is added"),
        (stein("residual - s**2"), "the last term is missing"),
        (stein("residual + s**2 + 2 * s**2 * follows"), "the sign of the variance"),
        (stein("np.sqrt(residual - s**2 + 2 * s**2 * follows)"), "this is the root"),
        (stein("2 * residual"), "for one of the filters"),
        (
            stein("residual - s**2 + 2 * s**2 * follows").replace("choice([-1, 1]", "choice([1, 1]"),
            "a direction of its own",
        ),
        (stein("[denoise(y) for _ in range(9)][0].mean()"), "called 11 times"),
        (
            STEIN.format("return residual - s**2 + 2 * s**2 * follows") + "check_stein(answer, 0.8, 0.0)",
            "lost_with_true: compare",
        ),
    ],
}

RIGHT = {
    "exercise-1": [
        share("[1 - h**2 / (h**2 + 2 * s**2)]", "[s * (2 / p - 2) ** 0.5]"),
        share("round(1 / (1 + h**2 / (2 * s**2)), 3)", "s * (2 / p - 2) ** 0.5"),
    ],
    "exercise-2": [
        cross(result="(total / weight_sum).tolist()"),
        cross(result="(total / weight_sum).astype(np.float32)"),
        gains("[round(guided - before, 1)]", "images.brick_wall().tolist(), 1.9"),
    ],
    "exercise-3": [
        "check_threshold((0.088, 0.177, 0.354), (h for h in (0.08, 0.17, 0.30)))",
        "check_threshold([0.09, 0.18, 0.35], [0.08, 0.17, 0.30])",
        "check_threshold({2: 0.088, 4: 0.177, 8: 0.354}, {2: 0.08, 4: 0.17, 8: 0.30})",
    ],
    "exercise-4": [
        f"{STEIN.format('return residual - s**2 + 2 * s**2 * follows')}check_stein(answer, 0.0, 0.8)",
        f"{STEIN.format('return [residual + s**2 * (2 * follows - 1)]')}check_stein(answer, 0.01, [0.79])",
    ],
}
