"""Links and functions of earlier editions: each former name works like the current one."""

import json
import re
from pathlib import Path

import pytest

from lib import figures
from tests.conftest import ROOT
from tests.gestures import state

FORMER = json.loads(Path(figures.__file__).with_name("former_names.json").read_text("utf8"))
STILL_PICTURES = {path.stem for path in (ROOT / "figures").glob("live-*.svg")}


@pytest.mark.parametrize("former, present", FORMER["functions"].items())
def test_former_function_is_the_current_one(former, present):
    assert getattr(figures, former) is getattr(figures, present)
    assert present in figures.__all__ and former not in figures.__all__


def test_unknown_function_name_is_an_error():
    with pytest.raises(AttributeError, match="nobody_figure"):
        figures.nobody_figure  # noqa: B018


def test_figure_names_are_current_and_have_previews():
    names = {name for pair in FORMER["figures"].items() for name in pair}
    assert {f"live-{name}" for name in names} & STILL_PICTURES == {f"live-{n}" for n in FORMER["figures"].values()}


def test_link_with_former_figure_name_works(show):
    plane = [[1.0, 0.2], [0.4, 0.9], [-0.8, 0.5]]
    panel = figures.attention_vs_gaussian_figure(plane, [0, 1, 2], query=(0.5, 0.8))
    page = show(panel.figure, address="#same=rotation:-40")
    assert state(page)["rotation"] == -40
    page.get_by_role("button", name="Reset").click()
    page.evaluate("model.set('spread', 0.5)")
    page.wait_for_function("location.hash === '#attention-vs-gaussian=spread:0.5'")


def test_link_with_former_setting_name_works(show):
    page = show(figures.language_model_figure().figure, address="#language-model=layer:3,head:2")
    assert (state(page)["block"], state(page)["head"]) == (3, 2)


@pytest.mark.parametrize("former, present", FORMER["values"]["language-model"]["kernel"].items())
def test_former_kernel_of_language_model_works(former, present, show):
    page = show(figures.language_model_figure().figure, address=f"#language-model=kernel:{former},hidden:4")
    assert state(page)["kernel"] == present
    with pytest.warns(DeprecationWarning, match=f"'{present}'"):
        figure = figures.language_model_figure(kernel=former).figure
    assert figure.settings["kernel"]["names"][figure.kernel_index] == present


def test_texts_use_only_current_names():
    """Former names are only for links outside this repository."""
    link = re.compile(
        rf"#(?:{'|'.join(FORMER['figures'])})=|#language-model=[^\s)]*\b(?:layer:|kernel:(?:hide|place)\b)"
    )
    texts = [
        *ROOT.glob("chapters/*.ipynb"),
        *ROOT.glob("teaching/*.md"),
        *ROOT.glob("pages/*.md"),
        ROOT / "intro.ipynb",
    ]
    assert [path.name for path in texts if link.search(path.read_text("utf8"))] == []
