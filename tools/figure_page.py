"""A live figure alone on a page: its own JavaScript and data, and in place of Jupyter a model of a few lines."""

import json

PAGE = """<!doctype html>
<html lang="en" data-theme="{theme}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live figure</title>
<style>
html {{ background: #FFFFFF; }} html[data-theme=dark] {{ background: #14181F; color-scheme: dark; }}
main {{ max-width: 720px; margin: 16px auto; padding: 0 12px; box-sizing: content-box; }}
{css}
</style></head>
<body><main></main>
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
const figure = await import(URL.createObjectURL(new Blob([{script}], {{ type: "text/javascript" }})));
window.model = new Model({state});
window.cleanup = figure.default.render({{ model: window.model, el: document.querySelector("main") }});
</script></body></html>"""


def figure_page(figure, theme="light"):
    """The page as HTML of one `lib.figures.base.LiveFigure`. Its model is the page's `model`."""
    state = {name: value for name, value in figure.get_state().items() if not name.startswith("_")}
    state.pop("layout")
    script, state = (json.dumps(part).replace("</", "<\\/") for part in (figure._esm, state))
    return PAGE.format(theme=theme, css=figure._css, script=script, state=state)
