"""Numbers and colours that Python, JavaScript and style sheets share: each stands once, in a JSON file.

Python reads `constants.json` and `palette.json` here, esbuild puts the numbers into the live figures, and the
build makes the variables of the style sheets.
"""

import json
from pathlib import Path


def _read(name):
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


_numbers = _read("constants.json")

BRIGHTNESS = tuple(_numbers["brightness"])  # from red, green and blue (Rec. 601)
WHITE = _numbers["white"]  # where an image counts in whole levels: 255
PILOT = _numbers["pilot"]  # bandwidth and radius of the gradient that steers, as in the authors' toolbox
STEERING = _numbers["steering"]  # the toolbox's defaults
RADIUS_PER_BANDWIDTH = _numbers["radius_per_bandwidth"]  # of a window: there exp(−d²/h²) has fallen to 0.008
NORM_EPSILON = _numbers["norm_epsilon"]  # keeps a root mean square above zero
ROTARY_BASE = _numbers["rotary_base"]  # of the angles by which queries and keys are rotated
POSITION_BANDWIDTH = _numbers["position_bandwidth"]  # of the kernel of positions, where its temperature is 1
N_NEXT = _numbers["n_next"]  # likeliest next words that are shown
HEAD_METRICS = _numbers["head_metrics"]  # bandwidths and offsets of the smoothers that heads are compared with
HEAD_NAMES = _numbers["head_names"]  # from which value of a metric on a head has a name
PHONE_WIDTH = _numbers["phone_width"]  # pixels: a narrower page is a phone's

PALETTE = _read("palette.json")  # mode, "light" or "dark" → role → colour


def style_variables(mode, names=None):
    """The colours of a mode as declarations of a style sheet.

    >>> style_variables("light", ["query", "key"])
    '--query: #DA350B; --key: #0A38C2;'
    """
    colors = PALETTE[mode]
    return " ".join(f"--{name}: {colors[name]};" for name in names or colors)
