"""Live figures: the reader moves the query and the bandwidth, and the browser computes the weights.

Each figure is three files side by side: Python that declares its settings and facts, JavaScript that computes,
draws and tells, CSS. The JavaScript modules that figures share:

- `figure.js` is what every figure is, and says what one declares. From that follow its elements (`frame.js`), the
  ghost of how it was and speech (`gesture.js`), guesses (`guesses.js`), reset and links (`links.js`).
  `settings.js` holds what the reader can change, `address.js` the page's address, and `sliders.js` names the
  sliders of ipywidgets.
- `weights.js` mirrors `lib.weights` and `lib.kernels`, and shades weights; `window.js` mirrors `lib.filters`,
  `irregular.js` its planes through known pixels, `matrices.js` the products and features behind attention,
  `transformer.js` `lib.language_model`, and `ruler.js` `lib.heads`. `tokens.js` draws the tokens of a text with
  weights. `methods.js` has six methods side by side, for the front page; `denoise.js` mirrors `lib.diffusion`.
- `plot.js` draws: scales, axes, legends, marks. `numbers.js` rounds, and writes numbers in words.
- `hands.js` drags and listens to arrow keys, `readout.js` tells the value under the pointer or the focus, and
  `play.js` moves a setting by itself.
- `picture.js` is what figures of a photograph share, `workers.js` what works beside the page or comes later.

`bundled/` holds each figure's modules as one file, written by `make bundle`. `base.py` is what the Python halves
share.
"""

from lib.figures.attention import attention_figure
from lib.figures.base import Guesses
from lib.figures.diffusion import diffusion_figure
from lib.figures.features import random_features_figure
from lib.figures.head_map import head_map_figure
from lib.figures.hero import hero_figure
from lib.figures.language_model import language_model_figure
from lib.figures.missing import missing_figure
from lib.figures.pixel import pixel_figure
from lib.figures.prediction import prediction_figure
from lib.figures.regression import regression_figure
from lib.figures.same import same_figure

__all__ = [
    "Guesses",
    "attention_figure",
    "diffusion_figure",
    "head_map_figure",
    "hero_figure",
    "language_model_figure",
    "missing_figure",
    "pixel_figure",
    "prediction_figure",
    "random_features_figure",
    "regression_figure",
    "same_figure",
]
