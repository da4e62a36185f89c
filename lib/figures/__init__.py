"""Live figures: the reader moves the query and the bandwidth, and the browser computes the weights.

Each figure is three files side by side: Python that gives it data and sliders, JavaScript that computes and draws,
CSS. The JavaScript modules that figures share:

- `weights.js` mirrors `lib.weights` and `lib.kernels`, and shades weights; `window.js` mirrors `lib.filters`,
  `matrices.js` the products and features behind attention, `transformer.js` `lib.language_model`. `methods.js` has
  six methods side by side, for the front page.
- `core.js` is the frame of a figure: question, settings, address, sentence.
- `plot.js` draws: scales, axes, legends, marks. `numbers.js` rounds.
- `hands.js` drags and listens to arrow keys, `readout.js` tells the value under the pointer or the focus, and
  `play.js` moves a setting by itself.
- `picture.js` is what figures of a photograph share, and `workers.js` what those share that work beside the page.

`bundled/` holds each figure's modules as one file, written by `make bundle`. `base.py` is what the Python halves
share.
"""

from lib.figures.attention import attention_figure
from lib.figures.features import random_features_figure
from lib.figures.hero import hero_figure
from lib.figures.language_model import language_model_figure
from lib.figures.pixel import pixel_figure
from lib.figures.prediction import prediction_figure
from lib.figures.regression import regression_figure
from lib.figures.same import same_figure

__all__ = [
    "attention_figure",
    "hero_figure",
    "language_model_figure",
    "pixel_figure",
    "prediction_figure",
    "random_features_figure",
    "regression_figure",
    "same_figure",
]
