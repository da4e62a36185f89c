"""Live figures: the reader moves the query and the bandwidth, and the browser computes the weights.

Each figure has a folder with a script and a style sheet of the same name. Python declares the settings; JavaScript
computes, draws and describes. Most functions take four more parameters:

- `question`, a str: shown above the figure. What should the reader predict before using it?
- `guesses`, a `Guesses`, optional: possible answers, of which the reader chooses one.
- `caption`, a str: HTML below the figure.
- `address`, a str: the figure's name in the page's URL, unique on a page.

Three folders are shared by the figures, and each imports only from those below it:

- `contract` is the framework. `figure.js` documents what a figure defines. From this the framework builds the
  elements (`frame.js`), the ghost of the previous state and the announcements (`gesture.js`), the guesses
  (`guesses.js`), and reset and links (`links.js`). `settings.js` reads and writes the settings, `url_state.js` the
  page's URL, and `sliders.js` labels the ipywidgets sliders. `__init__.py` is the Python half.
- `parts` contains drawing and input: `plot.js` for scales, axes, legends and marks, `shades.js` for weights as
  shades of one colour, `tokens.js` for the tokens of a text, `photograph.js` for images, `divided_photograph.js`
  for a noisy and a cleaned side, `drag.js` for pointer and arrow keys, `tooltip.js` for tooltips, `play.js` for
  animation, `numbers.js` for grids and number formats, and `workers.js` for web workers and lazy loading. For the
  reader's own data, `file_input.js` takes files, `problem.js` shows what is wrong with them, `job.js` runs long
  computations, `save.js` writes files, and `take_away.js` offers them together with code.
- `methods` computes what `lib` computes, in modules of the same names where `lib` has one; `base64.js` decodes the
  arrays that Python sends.

`bundled` contains each figure's modules as one file, written by `make bundle`. `former_names.json` lists the names
from earlier editions, so that old links and notebooks keep working.
"""

import json
from importlib import import_module
from pathlib import Path

from lib.figures.contract import Guesses

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
    "sentence_figure",
    "years_figure",
    "your_photo_figure",
    "your_pictures_figure",
    "your_points_figure",
    "your_text_figure",
]

FORMER_NAMES = json.loads((Path(__file__).parent / "former_names.json").read_text(encoding="utf-8"))


def __getattr__(name):
    """Return a figure's function, also by its name in an earlier edition; its module is imported only now."""
    name = FORMER_NAMES["functions"].get(name, name)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{name.removesuffix('_figure')}"), name)


def __dir__():
    return __all__
