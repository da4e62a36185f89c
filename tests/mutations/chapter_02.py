"""Faults that the tests of chapter 2's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/engine/filters.py",
        "return np.subtract(-(row**2 + column**2) / h_x**2, squares, out=squares)",
        "return np.subtract(-(row**2 + column**2) / h_x, squares, out=squares)",
        "the filter's h_x loses its square",
        ("eq:bilateral", "eq:uphill", "eq:bilateral_limits"),
    ),
    Mutation(
        "lib/filters/bilateral.py",
        "return -offsets_squared(radius) / h_x**2 - np.square(difference).sum(axis=0)",
        "return -offsets_squared(radius) / h_x**2 - 2 * np.square(difference).sum(axis=0)",
        "the weights' difference of values counts twice",
        ("eq:bilateral_log_weights", "eq:bilateral_weights", "eq:position_and_value", "eq:bilateral_metric"),
    ),
    Mutation(
        "lib/images.py",
        "return -10 * math.log10(error) if error else math.inf",
        "return -20 * math.log10(error) if error else math.inf",
        "10 becomes 20",
        ("eq:psnr",),
    ),
    Mutation(
        "lib/engine/regression.py",
        "self.unit = bandwidth / np.sqrt(LOG2E) if self.kernel is gaussian else bandwidth",
        "self.unit = bandwidth * np.sqrt(2 / LOG2E) if self.kernel is gaussian else bandwidth",
        "the exponent of the regression is halved",
        ("eq:fixed_point", "eq:bilateral_bias", "eq:robust", "eq:clean_mean"),
    ),
    Mutation(
        "lib/filters/bilateral_grid.py",
        "variance = 1 / (2 * cell**2) - 1 / 3",
        "variance = 1 / (2 * cell**2) - 1 / 6",
        "the blur allows for one interpolation and not for two",
        ("eq:bilateral_grid",),
    ),
    Mutation(
        "lib/images.py",
        "return image + (noise_std * standard_noise(image.shape, rng)).astype(image.dtype)",
        "return image + (1.3 * noise_std * standard_noise(image.shape, rng)).astype(image.dtype)",
        "the noise is larger than it says",
        ("eq:sure",),
    ),
]
