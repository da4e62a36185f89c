"""The gallery's exercises: a starter reproduces the error, the solution passes, and half a fix is rejected."""

import re

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

from tests.chapters.answers import function_for
from tests.conftest import ROOT

CELLS = nbformat.read(ROOT / "chapters" / "gallery.ipynb", as_version=4).cells
EXHIBITS = ("tent", "sign", "table", "signs", "zero", "box", "channels", "recall", "tricube")

kernel = function_for("check_kernel", "x")
table = function_for("check_table", "size, sigma")
block = function_for("check_signs", "n, d, rng")
lines = function_for("check_zero", "q, k, v, sigma")
mean = function_for("check_box", "image, size")
recall = function_for("check_recall", "answers, stored")

BLOCK = "fixed_block_solution(n, d, rng)"
FIXED = "fixed_weights_solution(queries, keys)"
RIGHT_FOR_ONE_QUERY = "lambda q, k: softmax(-(1 + (q == queries[25])[:, None]) * (q[:, None] - k) ** 2)"
HALF_REPAIRS = {
    "tent": [
        (kernel("np.maximum(1 - np.abs(x), 0) ** 2"), "expected 0.2683"),
        (kernel("1 - x**2"), "nowhere negative"),
        (kernel("np.maximum(1 - x**2, 0) ** 1.001"), "very near, but not his"),
        (kernel("np.maximum(1 - (x - 0.3) ** 2, 0)"), "same on both sides"),
        (kernel("0 * x"), "zero everywhere"),
    ],
    "sign": [
        ("check_sign(0.07, fixed_weights_solution)", "look at `weights_as_printed"),
        ("check_sign(farthest_solution, fixed_weights)", "the nearest key has the largest weight"),
        ("check_sign(farthest_solution, lambda q, k: nadaraya_watson_weights(q, k, 2**0.5))", "not −½"),
        ("check_sign(farthest_solution, lambda q, k: np.exp(-2 * (q[:, None] - k) ** 2))", "sum to 1"),
        (f"check_sign(farthest_solution, lambda q, k, right={FIXED}: right)", "queries and keys that are given"),
        (f"check_sign(farthest_solution, {RIGHT_FOR_ONE_QUERY})", "for every query"),
    ],
    "table": [
        (table("np.ones((size, size))"), "not exp"),
        (table("np.ones(size)"), "expected 9 entries"),
        (table("fixed_table_solution(size, sigma) ** (1 + (size == 9))"), "size 9: the weights are not exp"),
        (table("fixed_table_solution(size, sigma) / (2 * np.pi * sigma**2)"), "the centre is not the heaviest"),
        (table("spatial_table(size, sigma)[: size**2]"), "not symmetric"),
    ],
    "signs": [
        (block("rng.normal(size=(n, d, d))"), "no longer orthogonal"),
        (block("fixed_block_solution(n, d, rng) * 0.5"), "the mean squared length is 1"),
        (block(f"b = {BLOCK}", "d**0.5 * b / np.linalg.norm(b, axis=2, keepdims=True)"), "lengths must vary"),
        (block("fixed_block_solution(n, 4, rng)"), "for d = 3 expected shape"),
    ],
    "zero": [
        (lines("np.full(len(q), v.mean())"), "estimates changed that were right"),
        (lines("np.where(np.isnan(small), v.mean(), small)"), "far from all keys"),
        (lines("nadaraya_watson(q, k, v, 2**0.5 * sigma)"), "this is double precision"),
        (lines("fixed_lines_solution(q, k, v, 0.01)"), "the nearest key takes all"),
    ],
    "box": [
        (mean("r = size // 2", "(fixed_mean_solution(image, size) + image[r:-r, r:-r]) / 2"), "counts 1/"),
        (mean("patch_mean(image, size)[0] * size**2 / (size - 1) ** 2"), "off-centre by"),
        (mean("fixed_mean_solution(image, size) * size**2"), "mean of ones must be 1"),
        (mean("fixed_mean_solution(image, size)[1:]"), "with a whole patch inside"),
    ],
    "channels": [
        ("check_channels(3**0.5, fixed_weights_of_colors_solution)", "not 1.7"),
        ("check_channels(3, color_weights)", "for 2 channels, σ = 0.1"),
        ("check_channels(3, lambda d, sigma, n, largest: np.exp(-(d**2) / sigma**2))", "for 1 channels, σ = 0.1"),
    ],
    "recall": [
        (
            recall("np.mean((answers @ stored.T).argmax(axis=1) == np.arange(len(stored)))"),
            "largest inner product",
        ),
        (recall("len(stored) * fixed_recall_solution(answers, stored)"), "a share, not a count"),
        (recall("np.mean(np.sum((answers - stored) ** 2, axis=1) < 1e-9)"), "for 64 pairs, got 0.000"),
    ],
    "tricube": [
        ("check_tricube(0.0, fixed_tricube_weights_solution)", "with the four keys"),
        ("check_tricube(far, tricube_weights)", "outside the support has weight"),
        ("check_tricube(far, lambda q, k, h: np.where(abs(k - q) > h, 0, tricube_weights(q, k, h)))", "changed"),
        ("check_tricube(far, lambda q, k, h: np.nan_to_num(fixed_tricube_weights_solution(q, k, h)))", "NaN"),
    ],
}

UNUSUAL = {
    "tent": [kernel("2 / 3 * np.maximum(1 - x**2, 0)"), kernel("np.maximum(1 - (1e4 * x) ** 2, 0)")],
    "sign": ["check_sign(2.49, lambda q, k: softmax(-2 * (q[:, None] - k) ** 2))"],
    "table": [table("fixed_table_solution(size, sigma).reshape(size, size)")],
    "signs": [
        block(
            "q, r = np.linalg.qr(rng.normal(size=(n, d, d)))",
            "q = q * rng.choice([-1, 1], size=(n, 1, d))",
            "np.sqrt(rng.chisquare(d, size=(n, d, 1))) * np.swapaxes(q, 1, 2)",
        )
    ],
    "zero": [
        lines(
            "differences = (q[:, None] - k).astype(np.float32)",
            "average(softmax(-(differences**2) / (2 * np.float32(sigma) ** 2)), v)",
        )
    ],
    "box": [
        "check_box(lambda image, size: np.lib.stride_tricks.sliding_window_view(image, (size, size)).mean((2, 3)))"
    ],
    "recall": [
        recall("d = np.linalg.norm(answers[:, None] - stored, axis=-1)", "np.mean(np.diag(d) <= d.min(axis=1))")
    ],
    "channels": ["check_channels(3.0, lambda d, sigma, n, largest: np.exp(-(d**2) / 2 / sigma**2))"],
}


def cell(name):
    (found,) = (cell for cell in CELLS if cell.id == name)
    return found


@pytest.fixture(scope="module")
def namespace():
    """Return the names of all exhibits, with their starters as shipped."""
    names = {}
    for one in CELLS:
        if one.cell_type == "code" and one.id != "colab" and not one.id.endswith(("-check", "-solution")):
            exec(compile(one.source, one.id, "exec"), names)
    plt.close("all")
    return names


@pytest.mark.parametrize("number, name", list(enumerate(EXHIBITS, start=1)))
def test_check_accepts_solution_and_rejects_half_a_fix(number, name, namespace, capsys, monkeypatch):
    monkeypatch.chdir(ROOT / "chapters")
    assert any(f"### Exercise G.{number} (debug · " in one.source for one in CELLS), "wrong exercise number"
    assert cell(f"{name}-source").source.startswith("<details>\n<summary>")
    names = dict(namespace)
    exec(cell(f"{name}-check").source, names)
    waiting = capsys.readouterr().out
    assert waiting.startswith(f"Exercise G.{number}: ") and "correct" not in waiting
    exec(cell(f"{name}-solution").source, names)
    printed = capsys.readouterr().out
    assert f"Exercise G.{number}: correct." in printed
    assert name != "table" or re.search(r"differs from these weights by \de-1\d", printed), "they are fixed"
    for answer, reply in HALF_REPAIRS[name]:
        with pytest.raises(AssertionError, match=reply):
            exec(answer, names)
    assert "correct" not in capsys.readouterr().out
    for answer in UNUSUAL.get(name, []):
        exec(answer, names)
        assert f"Exercise G.{number}: correct." in capsys.readouterr().out


def test_scikit_image_still_has_the_described_errors(capsys):
    """While this passes, exhibits 6 and 7 describe the installed version."""
    names = {"np": np}
    exec(cell("box-peer").source, names)
    right, small = (float(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().out.splitlines())
    assert small < 0.005 < 0.03 < right
    exec(cell("channels-peer").source, names)
    as_said, as_it_acts = capsys.readouterr().out.splitlines()
    predicted, given = (float(as_it_acts.split(word)[1].split(",")[0]) for word in ("predicts ", "gives "))
    assert abs(predicted - given) < 2e-4 < abs(float(as_said.split("predicts ")[1].split(",")[0]) - given)


def test_statsmodels_still_has_the_described_error(namespace, capsys):
    exec(cell("tricube-peer").source, dict(namespace))
    assert capsys.readouterr().out == "statsmodels gives 0.3745, the code above 0.3745, the definition 0\n"


def test_gallery_image_is_above_the_fold(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641})
    page.goto(f"{site}/chapters/gallery.html")
    picture, code = page.locator("article img.plot:visible").first, page.locator("article details.hide").first
    top, height = (picture.bounding_box()[name] for name in ("y", "height"))
    assert top + 0.9 * height < 641 and top + height < code.bounding_box()["y"]
