"""The page of other programs: its code runs, and each row's error is the stated one.

The section's first block of code makes the data and the second is the method in NumPy. Rows marked with * are not
run; `PUBLISHED` has their formulas, from the sources named there.
"""

import re
import warnings

import numpy as np
import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.peers

PAGE = (ROOT / "pages" / "elsewhere.md").read_text("utf8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROUNDING = 1e-12
DEPENDS_ON_MACHINE = 1e-8  # errors that are smaller do


def tables(text):
    """Yield each table as a list of rows, dictionaries of the cells by the words of the head."""
    for lines in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = ([cell.strip() for cell in line.strip("|\n ").split("|")] for line in lines.splitlines())
        yield [dict(zip(head, row, strict=True)) for row in rows]


def rows():
    """Yield the title of the section and subsection, our call, and the row."""
    for section in SECTIONS[1:-1]:
        for part in re.split(r"^### ", section, flags=re.MULTILINE):
            ours = re.search(r"^Here: `(.*)`$", part, re.MULTILINE)
            for row in (row for table in tables(part) for row in table):
                yield (
                    section.splitlines()[0],
                    part.splitlines()[0],
                    row.get("here", f"`{ours and ours[1]}`")[1:-1],
                    row,
                )


ROWS = list(rows())


def data_of(section, part):
    """Run the names and the blocks of code up to a part of a section, and return the names."""
    text = next(text for text in SECTIONS if text.startswith(section))
    until = text.index(f"### {part}\n") + len(f"### {part}\n") if part != section else 0
    here = text.find("### ", until)
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of performer-pytorch, which uses names that torch has since deprecated
        for code in (*CODE.findall(SECTIONS[-1]), *CODE.findall(text[: here if here >= 0 else None])):
            exec(code, names)
    return names


def test_stated_versions_are_those_of_the_tests():
    pins = dict(
        re.findall(r"^([\w-]+)==(\d+\.\d+)", (ROOT / "requirements-dev.txt").read_text("utf8"), re.MULTILINE)
    )
    names = {"OpenCV": "opencv-python-headless", "PyTorch": "torch"}
    stated = re.search(r"with (statsmodels[^*]*?)\.\nRows", PAGE)[1].replace("\n", " ")
    for program, version in re.findall(r"([\w-]+) (\d+\.\d+)", stated):
        assert pins[names.get(program, program.lower())] == version
    seen = re.findall(r"seen in version ([\d.]+)", PAGE)
    assert len(seen) == 2 and all(f"scikit-image {version}" in stated for version in seen)


@pytest.mark.parametrize("section", [section.splitlines()[0] for section in SECTIONS[1:-1]])
def test_numpy_lines_equal_our_call(section):
    names = data_of(section, section)
    ours = next(
        re.findall(r"^Here: `(.*)`$", text, re.MULTILINE)[0] for text in SECTIONS if text.startswith(section)
    )
    np.testing.assert_allclose(names["estimate"], eval(ours, names), rtol=0, atol=ROUNDING)


def smooth(kernel, distance, values):
    weights = kernel(distance)
    return weights @ values / weights.sum(axis=1)


def ksmooth(names, kernel):
    """R's `ksmooth`, after src/library/stats/src/ksmooth.c."""
    distance = np.abs(names["q"][:, None] - names["x"])
    if kernel == "box":
        return smooth(lambda d: (d <= 2 * names["h"] * 0.5) * 1.0, distance, names["y"])
    scale = 0.3706506 * names["h"] / 0.5241791
    cut = lambda d: np.where(d <= 4 * scale, np.exp(-0.5 * (d / scale) ** 2), 0)
    return smooth(cut, distance, names["y"])


def npreg(names, kernel, scale):
    """`npreg` with fixed bandwidths, after src/kernel.c of np."""
    z = np.abs(names["q"][:, None] - names["x"]) / (names["h"] / scale)
    density = {
        "gaussian": lambda z: np.exp(-0.5 * z**2),
        "epanechnikov": lambda z: np.where(z**2 < 5, 0.33541019662496845 - 0.06708203932499369 * z**2, 0),
        "uniform": lambda z: np.where(z < 1, 0.5, 0),
    }
    return smooth(density[kernel], z, names["y"])


def npreg_lines(names):
    """The weighted normal equations in columns 1 and x − q, with the Gaussian of src/kernel.c."""
    difference = names["x"] - names["q"][:, None]
    weights = np.exp(-0.5 * (difference / (names["h"] / np.sqrt(2))) ** 2)
    s0, s1, s2 = ((weights * difference**power).sum(axis=1) for power in range(3))
    t0, t1 = ((weights * difference**power) @ names["y"] for power in range(2))
    return (s2 * t0 - s1 * t1) / (s0 * s2 - s1**2)


def loess(names):
    """`loess` of degree 1 without interpolation: tricube weights up to the farthest of the nearest tenth."""
    estimates = []
    for query in names["q"]:
        distance = np.abs(names["x"] - query)
        reach = np.sort(distance)[int(0.1 * len(distance)) - 1]
        weights = np.maximum(1 - (distance / reach) ** 3, 0) ** 3
        estimates.append(np.polyfit(names["x"] - query, names["y"], 1, w=np.sqrt(weights))[1])
    return np.array(estimates)


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def jax_attention(names):
    """`dot_product_attention`, whose documentation gives softmax(QKᵀ · scale) V for each head."""
    q, k, v = (names[name][:, None] for name in "qkv")  # (tokens, heads, d)
    scores = np.einsum("qhd,khd->hqk", q, k) / names["tau"]
    return np.einsum("hqk,khd->qhd", softmax(scores), v)[:, 0]


def guessed_noise(names):
    """ε = −σ ∇ log p, by central differences of the density of noisy images."""
    noisy, pictures, sigma = names["noisy"], names["pictures"], names["sigma"]

    def log_density(image):
        scores = -((image - pictures) ** 2).sum(axis=(1, 2)) / (2 * sigma**2)
        return scores.max() + np.log(np.exp(scores - scores.max()).sum())

    gradient, step = np.zeros_like(noisy), 1e-4
    for pixel in np.ndindex(noisy.shape):
        shift = np.zeros_like(noisy)
        shift[pixel] = step
        gradient[pixel] = (log_density(noisy + shift) - log_density(noisy - shift)) / (2 * step)
    return -sigma * gradient


def euler_step(names):
    """`EulerDiscreteScheduler.step` of diffusers: the derivative at σ, times the difference of the levels."""
    sample, sigma = names["noisy"], names["sigma"]
    names["denoiser"] = lambda noisy, noise_std: names["denoise"](noisy, names["pictures"], noise_std)
    derivative = (sample - names["denoiser"](sample, sigma)) / sigma
    return sample + derivative * (names["next_sigma"] - sigma)


def posterior_mean(names):
    """Bayes' rule for x_t = √ᾱ x₀ + √(1 − ᾱ) ε: Ho, Jain & Abbeel (2020), equation 4, arXiv:2006.11239."""
    distance = ((names["x_t"] - np.sqrt(names["alpha_bar"]) * names["pictures"]) ** 2).sum(axis=(1, 2))
    return np.tensordot(softmax(-distance / (2 * (1 - names["alpha_bar"]))), names["pictures"], axes=1)


def jax_softmax(names):
    return softmax(-(((names["q"][:, None] - names["x"]) / names["h"]) ** 2)) @ names["y"]


def d2l_epanechnikov(names):
    """The course's `epanechikov(x)`, max(1 − |x|, 0)."""
    distance = np.abs(names["q"][:, None] - names["x"]) / names["h"]
    return smooth(lambda d: np.maximum(1 - d, 0), distance, names["y"])


def diffusers_attention(names):
    q, k, v = (names[name] for name in "qkv")
    return softmax(q @ k.T * q.shape[1] ** -0.5) @ v


PUBLISHED = {  # the beginning of the call in the page → the formula
    "jax.nn.softmax": jax_softmax,
    'ksmooth(x, y, "normal"': lambda names: ksmooth(names, "normal"),
    'ksmooth(x, y, "box"': lambda names: ksmooth(names, "box"),
    "npreg(bws = h / sqrt(2), txdat": lambda names: npreg(names, "gaussian", np.sqrt(2)),
    'npreg(bws = h / sqrt(5), ckertype = "epanechnikov"': lambda names: npreg(names, "epanechnikov", np.sqrt(5)),
    'npreg(bws = h, ckertype = "uniform"': lambda names: npreg(names, "uniform", 1),
    'npreg(bws = h / sqrt(2), regtype = "ll"': npreg_lines,
    "predict(loess(y ~ x, span = 0.1, degree = 1": loess,
    "max(1 - abs(distance / s), 0)": d2l_epanechnikov,
    "jax.nn.dot_product_attention": jax_attention,
    "softmax(q @ k.T * d**-0.5) @ v": diffusers_attention,
    "sample - sigma * model_output": lambda names: names["noisy"] - names["sigma"] * guessed_noise(names),
    "scheduler.step": euler_step,
    "softmax(-square(x_t": posterior_mean,
}


def their_result(row, names):
    call = row["call"].strip("`")
    if not row["program"].endswith("*"):
        return eval(call, names)
    return next(formula for start, formula in PUBLISHED.items() if call.startswith(start))(names)


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")  # statsmodels announces a change of its seed
@pytest.mark.parametrize("number", range(len(ROWS)), ids=[f"{part}, {row['program']}" for _, part, _, row in ROWS])
def test_error_left_after_conversion_is_the_stated_one(number):
    section, part, ours, row = ROWS[number]
    names = data_of(section, part)
    theirs, stated = np.squeeze(np.asarray(their_result(row, names), float)), row["error"]
    difference = lambda: np.abs(theirs - np.asarray(eval(ours, names), float)).max()
    if stated.startswith(">"):
        assert min(difference() for names["h"] in np.geomspace(0.1, 3, 50)) > float(stated.split()[1])
        return
    assert theirs.size > 1 or part == "Choosing a bandwidth"
    assert difference() <= float(stated)
    assert float(stated) < DEPENDS_ON_MACHINE or difference() > float(stated) / 3


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")
def test_one_percent_of_bandwidth_exceeds_stated_errors():
    """Therefore a wrong conversion fails."""
    exact = [row for row in ROWS if re.search(r"\bh\b", row[2]) and row[3]["error"] in ("0", "1e-14", "1e-13")]
    assert len(exact) > 20
    for section, part, ours, row in exact:
        names = data_of(section, part)
        theirs = np.squeeze(np.asarray(their_result(row, names), float))
        names["h"] *= 1.01
        assert np.abs(theirs - eval(ours, names)).max() > 1e-6, row["program"]
