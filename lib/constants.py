"""Constants and colours shared by Python, JavaScript and the style sheets; each is defined once, in a JSON file.

Python reads `constants.json` and `palette.json` here, esbuild bundles the numbers into the live figures, and the
build generates the CSS variables.
"""

import json
from pathlib import Path


def _read(name):
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


_numbers = _read("constants.json")

BRIGHTNESS = tuple(_numbers["brightness"])  # weights of red, green and blue (Rec. 601)
WHITE = _numbers["white"]  # largest grey level of an 8-bit image: 255
PILOT = _numbers["pilot"]  # bandwidth and radius of the gradient estimate, as in the authors' toolbox
STEERING = _numbers["steering"]  # the toolbox's defaults
RADIUS_PER_BANDWIDTH = _numbers["radius_per_bandwidth"]  # of a window: exp(−d²/h²) has fallen to 0.008 there
NORM_EPSILON = _numbers["norm_epsilon"]  # keeps the root mean square above zero
ROTARY_BASE = _numbers["rotary_base"]  # of the rotary angles of queries and keys
POSITION_BANDWIDTH = _numbers["position_bandwidth"]  # of the position-only kernel at temperature 1
N_NEXT = _numbers["n_next"]  # number of likeliest next words shown
HEAD_METRICS = _numbers["head_metrics"]  # bandwidths and offsets of the smoothers to which heads are compared
HEAD_NAMES = _numbers["head_names"]  # thresholds of the metrics for naming a head
PHONE_WIDTH = _numbers["phone_width"]  # in pixels; narrower pages use the phone layout

PALETTE = _read("palette.json")  # mode, "light" or "dark" → role → colour


def style_variables(mode, names=None):
    """Return the colours of a mode as CSS declarations.

    >>> style_variables("light", ["query", "key"])
    '--query: #DA350B; --key: #0A38C2;'
    """
    colors = PALETTE[mode]
    return " ".join(f"--{name}: {colors[name]};" for name in names or colors)
