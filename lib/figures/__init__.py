"""Live figures: the reader moves the query and the bandwidth, and the browser computes the weights.

Each figure has a folder with a script and a style sheet of its name: Python declares what can be set, JavaScript
computes, draws and describes. The folders that figures share import each other downwards only:

- `contract` is what every figure is. `figure.js` says what one declares; from that follow its elements
  (`frame.js`), the ghost of how it was and announcements (`gesture.js`), guesses (`guesses.js`), reset and links
  (`links.js`). `settings.js` holds what the reader can change, `url_state.js` the page's URL, and `sliders.js`
  names the sliders of ipywidgets. Its `__init__.py` is the Python half.
- `parts` are drawings and gestures: `plot.js` scales, axes, legends and marks, `shades.js` weights as shades of
  one colour, `tokens.js` the tokens of a text, `photograph.js` images; `drag.js` pointers and arrow keys,
  `tooltip.js` values under the pointer, `play.js` a setting that moves by itself; `numbers.js` grids and number
  formats; `workers.js` what works beside the page or is loaded lazily.
- `methods` are twins of the modules of `lib` with the same names, and `base64.js` decodes the arrays that Python
  sends.

`bundled` holds each figure's modules as one file, written by `make bundle`. `former_names.json` has the names that
figures had in earlier editions: links and notebooks with them keep working.
"""

import json
from pathlib import Path

from lib.figures.attention import attention_figure
from lib.figures.attention_vs_gaussian import attention_vs_gaussian_figure
from lib.figures.contract import Guesses
from lib.figures.diffusion import diffusion_figure
from lib.figures.head_map import head_map_figure
from lib.figures.inpainting import inpainting_figure
from lib.figures.language_model import language_model_figure
from lib.figures.pixel import pixel_figure
from lib.figures.prediction import prediction_figure
from lib.figures.random_features import random_features_figure
from lib.figures.regression import regression_figure
from lib.figures.ring import ring_figure
from lib.figures.years import years_figure

__all__ = [
    "Guesses",
    "attention_figure",
    "attention_vs_gaussian_figure",
    "diffusion_figure",
    "head_map_figure",
    "inpainting_figure",
    "language_model_figure",
    "pixel_figure",
    "prediction_figure",
    "random_features_figure",
    "regression_figure",
    "ring_figure",
    "years_figure",
]

FORMER_NAMES = json.loads((Path(__file__).parent / "former_names.json").read_text(encoding="utf-8"))


def __getattr__(name):
    """The function that had this name in an earlier edition."""
    if name in FORMER_NAMES["functions"]:
        return globals()[FORMER_NAMES["functions"][name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
