"""Names of earlier editions. Each still works, with a `DeprecationWarning` that gives the new name.

A module that has former names ends in `__getattr__ = former_names.of(__name__)`. Names without a successor of the
same kind, such as modules, raise an ImportError that says where their content is now.
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
REMOVED = {  # name → what to use
    **{
        f"lib.filters.{name}": "its functions are in lib.filters: from lib.filters import …"
        for name in ("bilateral_grid", "bilateral", "irregular", "lark", "nonlocal_means", "patches", "window")
    },
    "lib.filters.Steering": "it was internal; lib.filters.steering_matrices computes the matrices",
    "lib.random_features.attention.FeatureMap": "it was internal; the maps are functions of lib.random_features",
}


class RemovedModules:
    """The last finder of `sys.meta_path`: it finds nothing, and says where the content of a removed module is."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Raise the error of a removed module."""
        if name in REMOVED:
            raise ModuleNotFoundError(f"No module named {name!r}; {REMOVED[name]}")


sys.meta_path.append(RemovedModules)


def of(module):
    """Return the `__getattr__` of a module that has former names."""

    def __getattr__(name):
        if name not in FORMER_NAMES.get(module, ()):
            if hint := REMOVED.get(f"{module}.{name}"):
                raise ImportError(f"cannot import name {name!r} from {module!r}; {hint}")
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
