"""Names of earlier editions. Each still works, with a `DeprecationWarning` that gives the new name.

A module that has former names ends in `__getattr__ = former_names.of(__name__)`.
"""

import sys
import warnings

FORMER_NAMES = {  # module → former name → name
    "lib.figures.diffusion": {"standard_noise": "box_muller_noise"},
    "lib.heads": {
        "equal_weights": "uniform_weights",
        "hide": "mask_keys",
        "one_query": "fixed_query",
        "said_again": "repeated_fraction",
    },
    "lib.images": {"GREY_LEVELS": "DIGIT_LEVELS"},
    "lib.kernels": {"log_kernel": "log_radial_kernel"},
    "lib.language_model": {"KERNELS": "HEAD_KERNELS"},
    "lib.learning": {"best_bandwidth": "oracle_bandwidth"},
    "lib.unified": {
        "bilateral": "bilateral_kernel",
        "classical": "classical_kernel",
        "lark": "steering_kernel",
        "nonlocal_means": "nonlocal_means_kernel",
    },
    "language_model_figure": {"hide": "mask", "place": "position"},  # values of its argument `kernel`
    "HEAD_KERNELS": {"place": "position"},  # keys of a table: `model.run(tokens, {"all": ("place", 2)})`
}


def of(module):
    """Return the `__getattr__` of a module that has former names."""

    def __getattr__(name):
        if name not in FORMER_NAMES[module]:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(sys.modules[module], current(module, name))

    return __getattr__


def current(place, name):
    """Return the current name for a former name; other names are returned unchanged.

    >>> current("HEAD_KERNELS", "uniform")
    'uniform'
    """
    if name not in FORMER_NAMES[place]:
        return name
    new = FORMER_NAMES[place][name]
    warnings.warn(f"{place}: {name!r} is now called {new!r}", DeprecationWarning, stacklevel=3)
    return new
