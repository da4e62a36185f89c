"""Live figures: the reader moves the query and the bandwidth, and the browser computes the weights.

Each figure has a folder with a script and a style sheet of the same name. Python declares the settings; JavaScript
computes, draws and describes. Three folders are shared by the figures, and each imports only from those below it:

- `contract` is the framework. `figure.js` documents what a figure defines. The framework derives from it the
  elements (`frame.js`), the ghost of the previous state and announcements (`gesture.js`), guesses (`guesses.js`),
  reset and links (`links.js`). `settings.js` reads and writes the settings, `url_state.js` the page's URL, and
  `sliders.js` labels the ipywidgets sliders. `__init__.py` is the Python half.
- `parts` contains drawing and input: `plot.js` for scales, axes, legends and marks, `shades.js` for weights as
  shades of one colour, `tokens.js` for the tokens of a text, `photograph.js` for images, `drag.js` for pointer and
  arrow keys, `tooltip.js` for tooltips, `play.js` for animation, `numbers.js` for grids and number formats, and
  `workers.js` for web workers and lazy loading. For the reader's own data, `file_input.js` takes files,
  `problem.js` says what is wrong with them, `job.js` runs long computations, `save.js` writes files, and
  `take_away.js` offers them together with code.
- `methods` mirrors the modules of `lib` with the same names; `base64.js` decodes the arrays that Python sends.

`bundled` contains each figure's modules as one file, written by `make bundle`. `former_names.json` lists the names
from earlier editions, so that old links and notebooks keep working.
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
from lib.figures.one_head import one_head_figure
from lib.figures.pixel import pixel_figure
from lib.figures.prediction import prediction_figure
from lib.figures.published_model import published_model_figure
from lib.figures.random_features import random_features_figure
from lib.figures.regression import regression_figure
from lib.figures.ring import ring_figure
from lib.figures.years import years_figure
from lib.figures.your_pictures import your_pictures_figure
from lib.figures.your_points import your_points_figure
from lib.figures.your_text import your_text_figure

__all__ = [
    "Guesses",
    "attention_figure",
    "attention_vs_gaussian_figure",
    "diffusion_figure",
    "head_map_figure",
    "inpainting_figure",
    "language_model_figure",
    "one_head_figure",
    "pixel_figure",
    "prediction_figure",
    "published_model_figure",
    "random_features_figure",
    "regression_figure",
    "ring_figure",
    "years_figure",
    "your_pictures_figure",
    "your_points_figure",
    "your_text_figure",
]

FORMER_NAMES = json.loads((Path(__file__).parent / "former_names.json").read_text(encoding="utf-8"))


def __getattr__(name):
    """Return the function that had this name in an earlier edition."""
    if name in FORMER_NAMES["functions"]:
        return globals()[FORMER_NAMES["functions"][name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
