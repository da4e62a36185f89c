"""Standalone pages of live figures: their own JavaScript and data, with a minimal model in place of Jupyter."""

import json

from lib.constants import PALETTE

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
class Model {{
  constructor(state) {{ this.state = state; this.listeners = []; }}
  get(name) {{ return this.state[name]; }}
  set(name, value) {{
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    this.listeners.filter(([event]) => event === `change:${{name}}`).forEach(([, callback]) => callback());
  }}
  on(event, callback) {{ this.listeners.push([event, callback]); }}
  off(event, callback) {{ this.listeners = this.listeners.filter(([e, c]) => e !== event || c !== callback); }}
  save_changes() {{}}
}}
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
    return PAGE.format(theme=theme, light=light, dark=dark, css=css, figures=data.replace("</", "<\\/"))


def _state(figure):
    state = {name: value for name, value in figure.get_state().items() if not name.startswith("_")}
    state.pop("layout")
    return state
