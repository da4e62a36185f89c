"""Standalone pages of live figures: their own JavaScript and data, with a minimal model in place of Jupyter."""

import json
from pathlib import Path

from lib.constants import PALETTE

MODEL = Path(__file__).resolve().parents[2] / "_ext" / "course" / "embed" / "model.js"  # of the figures' own pages

PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live figure</title>
<style>
html {{ background: {light}; }} html[data-theme=dark] {{ background: {dark}; color-scheme: dark; }}
main {{ max-width: 720px; margin: 16px auto; padding: 0 12px; box-sizing: content-box; }}
{css}
</style></head>
<body data-page="figure"><main></main>
<script type="module">
{model}
for (const {{ script, state }} of {figures}) {{
  const figure = await import(URL.createObjectURL(new Blob([script], {{ type: "text/javascript" }})));
  const model = new Model(state);
  window.model ??= model;
  const takeAway = figure.default.render({{ model, el: document.querySelector("main") }});
  window.takeAway ??= takeAway;
}}
</script></body></html>"""


def figure_page(*figures, theme="light"):
    """Return the HTML of a page of live figures. Its `model` and `takeAway` belong to the first one."""
    data = json.dumps([{"script": figure._esm, "state": _state(figure)} for figure in figures])
    css = "\n".join(sorted({figure._css for figure in figures}))
    light, dark = (PALETTE[mode]["paper"] for mode in ("light", "dark"))
    model = MODEL.read_text("utf8").replace("export class", "class")
    figures = data.replace("</", "<\\/")
    return PAGE.format(theme=theme, light=light, dark=dark, css=css, model=model, figures=figures)


def _state(figure):
    state = {name: value for name, value in figure.get_state().items() if not name.startswith("_")}
    state.pop("layout")
    return state
