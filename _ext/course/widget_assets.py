"""What live figures are made of, code and photographs, in files that the pages share.

Without it each page would hold the code and the photograph of its figures once more, 0.1 to 1 MB: MyST-NB writes
all that is known of a page's widgets into the page. Here whatever is long stands in a file of its own, which a
browser keeps. A page names the files of the next one, and fetches them when its reader is half through
(`course.js`).

The code is that of today, `lib/figures/bundled`, one file per figure, and not what the notebook held when it was
executed: an edit of a figure's JavaScript executes no notebook. A trait whose name ends in `_lazy` is heavier: no
page loads its file, now or ahead of time, and the figure asks for it (`loadLazy` in
`lib/figures/parts/workers.js`).
"""

import json
from hashlib import sha256
from pathlib import Path

from _ext.course.private_api.anywidget import figure_of
from _ext.course.private_api.myst_nb import STATE, widget_state
from tools.build.bundle_figures import CODE
from tools.build.page_files import write_whole

RUNTIME = "widgets/widgets.js"
LONG = 1000  # letters, as JSON


class Parts:
    """Moves long values of traits into the folder `static`, and remembers the files of one page.

    `address` is where that folder is, seen from the page, with a slash at its end.
    """

    def __init__(self, static, address):
        self.static, self.address = static, address
        self.names = {}  # in order, each once

    def move(self, widgets):
        """The state of a page's widgets, with the name of a part in the place of each long value."""
        state = {key: widget | {"state": self.moved(widget["state"])} for key, widget in widgets["state"].items()}
        return widgets | {"state": state}

    def moved(self, state):
        """What is None the runtime knows by itself, but of a figure's own traits."""
        figure = figure_of(state)
        kept = {name: value for name, value in state.items() if figure or value is not None}
        return {name: self.part(name, value, figure) for name, value in kept.items()}

    def part(self, name, value, figure):
        if name in CODE and figure and isinstance(value, str):
            self.load(f"figures/{figure}.js")
            return {"part": figure + CODE[name]}
        text = json.dumps(value, ensure_ascii=False)
        if len(text) < LONG:
            return value
        digest = sha256(text.encode()).hexdigest()[:16]
        file = f"figures/{digest}.js"
        if not (self.static / file).exists():
            (self.static / "figures").mkdir(parents=True, exist_ok=True)
            write_whole(self.static / file, f'(window.figureParts ??= {{}})["{digest}"] = {text};\n'.encode())
        if name.endswith("_lazy"):
            return {"lazy": digest, "script": self.address + file}
        self.names[file] = None  # its name is that of its content
        return {"part": digest}

    def load(self, file):
        """A browser that keeps files must not take another version for this one."""
        version = sha256((self.static / file).read_bytes()).hexdigest()[:8]
        self.names[f"{file}?v={version}"] = None


def share_parts(app, pagename, templatename, context, doctree):
    """Let a page load the parts of its figures, and name those of the page that follows it."""
    if "slides" in context:  # a deck has those of its chapter
        return
    own = moved_state(app, pagename, context)
    kept = [script for script in context["script_files"] if not str(script.filename).endswith(RUNTIME)]
    context["script_files"][:] = kept
    for script in kept:
        if script.attributes.get("type") == STATE:
            state = json.dumps(own.state, ensure_ascii=False, separators=(",", ":"))
            script.attributes["body"] = state.replace("</", "<\\/")
    context["figure_scripts"] = list(own.names)
    *_, following = app.builder.relations.get(pagename, [None])
    ahead = moved_state(app, following, context).names
    context["next_scripts"] = [name for name in ahead if name not in own.names]


def moved_state(app, pagename, context):
    """What a page's figures need, in order, as `names`, and the state of its widgets that names it, as `state`."""
    parts = Parts(Path(app.outdir) / "_static", f"{context['content_root']}_static/")
    parts.state = parts.move(widget_state(app.env, pagename))
    if parts.state["state"]:
        parts.load(RUNTIME)
    return parts
