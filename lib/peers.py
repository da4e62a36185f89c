"""Import of `d2l`, the package of Dive into Deep Learning, to which a chapter compares its own code.

It is not a requirement of this package; `requirements-d2l.txt` explains how to install it.
"""

import sys
from importlib import import_module
from types import ModuleType


def load_d2l():
    """Import `d2l.torch`, even if torchvision is not installed.

    d2l imports torchvision at module level but uses it only in functions that this course does not call, and CPU
    builds of PyTorch come without a matching torchvision. If it is missing, it is replaced by an empty module
    during the import.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If d2l or PyTorch is not installed; the message says how to install them. In the browser they cannot be
        installed.
    """
    if sys.platform == "emscripten":
        raise ImportError("d2l needs PyTorch, which does not run in the browser.")
    stand_ins = _stand_ins()
    sys.modules.update(stand_ins)
    try:
        return import_module("d2l.torch")
    except ImportError as missing:
        raise ImportError(
            f"expected d2l and PyTorch, got: {missing}. "
            "Install them with `pip install torch pandas requests scipy` and `pip install --no-deps d2l==1.0.3`."
        ) from missing
    finally:
        for name in stand_ins:
            del sys.modules[name]


def _stand_ins():
    """Return empty modules to replace torchvision, or none if it can be imported."""
    try:
        import_module("torchvision.transforms")
        return {}
    except (ImportError, RuntimeError):  # RuntimeError: torchvision built for a different version of torch
        torchvision = ModuleType("torchvision")
        torchvision.transforms = ModuleType("torchvision.transforms")
        return {"torchvision": torchvision, "torchvision.transforms": torchvision.transforms}
