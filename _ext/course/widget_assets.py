"""Store the code and photographs of live figures in files that pages share.

MyST-NB writes the full state of a page's widgets into the page, 0.1 to 1 MB of code and photographs each time.
Here long values are stored in separate files, which browsers cache. A page lists the files of the next page, and
fetches them when the reader is halfway through (`course.js`).

The code comes from the current `lib/figures/bundled`, one file per figure, not from the executed notebook, so that
editing a figure's JavaScript executes no notebook. A trait whose name ends in `_lazy` is heavier: no page loads or
prefetches its file; the figure requests it (`loadLazy` in `lib/figures/parts/workers.js`). `worker_lazy` is code,
from the bundles as well.
"""

import json
from hashlib import sha256
from pathlib import Path

from _ext.course.private_api.anywidget import figure_of
from _ext.course.private_api.myst_nb import STATE, widget_state
from tools.build.bundle_figures import CODE, LAZY_CODE
from tools.build.page_files import write_whole

RUNTIME = "widgets/widgets.js"
LONG = 1000  # characters, as JSON


class Parts:
    """Move long trait values into the folder `static`, and record the files of one page.

    `address` is the URL of that folder relative to the page, with a trailing slash.
    """

    def __init__(self, static, address):
        self.static, self.address = static, address
        self.names = {}  # ordered, without duplicates

    def move(self, widgets):
        """Return a page's widget state with each long value replaced by the name of its file."""
        state = {key: widget | {"state": self.moved(widget["state"])} for key, widget in widgets["state"].items()}
        return widgets | {"state": state}

    def moved(self, state):
        """Drop None, which is the runtime's default, except for a figure's own traits."""
        figure = figure_of(state)
        kept = {name: value for name, value in state.items() if figure or value is not None}
        return {name: self.part(name, value, figure) for name, value in kept.items()}

    def part(self, name, value, figure):
        if name in CODE and figure and isinstance(value, str):
            self.load(f"figures/{figure}.js")
            return {"part": figure + CODE[name]}
        if name in LAZY_CODE and figure:
            code = figure + LAZY_CODE[name]
            return {"lazy": code, "script": self.address + self.versioned(f"figures/{code}")}
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
        self.names[file] = None  # the name is a hash of the content
        return {"part": digest}

    def load(self, file):
        self.names[self.versioned(file)] = None

    def versioned(self, file):
        """Return the URL with a version, so that a cached file is never used for a newer one."""
        return f"{file}?v={sha256((self.static / file).read_bytes()).hexdigest()[:8]}"


def share_parts(app, pagename, templatename, context, doctree):
    """Let a page load its figures' files, and prefetch those of the following page."""
    if "slides" in context:  # a deck uses its chapter's files
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
    """Return the files of a page's figures, in order (`names`), and the widget state that uses them (`state`)."""
    parts = Parts(Path(app.outdir) / "_static", f"{context['content_root']}_static/")
    parts.state = parts.move(widget_state(app.env, pagename))
    if parts.state["state"]:
        parts.load(RUNTIME)
    return parts
