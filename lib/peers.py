"""The one peer that a chapter shows beside its own code: `d2l`, the package of Dive into Deep Learning.

It is not among this package's requirements. `requirements-d2l.txt` says how it is installed.
"""

import sys
from importlib import import_module
from types import ModuleType


def load_d2l():
    """The module `d2l.torch`, also where torchvision is absent.

    d2l imports torchvision at its top and uses it only inside functions that this course does not call, while a
    CPU build of PyTorch has no torchvision to go with it. An empty stand-in then serves during the import.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If d2l or PyTorch is not installed; the message says how to install them. In a browser there is no way.
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
    """Empty modules for torchvision, or none where the real one can be imported."""
    try:
        import_module("torchvision.transforms")
        return {}
    except (ImportError, RuntimeError):  # RuntimeError: a torchvision built for another torch
        torchvision = ModuleType("torchvision")
        torchvision.transforms = ModuleType("torchvision.transforms")
        return {"torchvision": torchvision, "torchvision.transforms": torchvision.transforms}
