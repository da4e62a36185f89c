"""What live figures are made of, code and photographs, in files that the pages share.

Pages with the same figure would each hold its code and its photograph in their widgets' state. Here whatever is
long there moves into files of its own. A browser keeps them, and fetches what the next page needs ahead of time.

The code is that of today, `lib/figures/bundled`, and not what the notebook held when it was executed: an edit of a
figure's JavaScript executes no notebook.

A trait whose name ends in `_later` is too heavy for that. No page loads its file, now or ahead of time: the figure
asks for it when its reader comes near (`later` in `lib/figures/core.js`).
"""

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

from course_site import course_pages

STATE = re.compile(r'(?<=<script type="application/vnd\.jupyter\.widget-state\+json">).*?(?=</script>)', re.DOTALL)
RUNTIME = re.compile(r'<script [^>]*src="[^"]*widgets/widgets\.js')
SCRIPT = re.compile(r'<script [^>]*src="[^"]*_static/([^"]+)"')
PREFETCH = re.compile(r'<link rel="prefetch" as="script" href="[^"]*">\n')
NEXT = re.compile(r'<a class="right-next"\s+href="([^"#]+)"')
LONG = 1000  # letters, as JSON
# Traits that hold code, and how the names of its files end.
CODE = {"_esm": ".js", "_css": ".css", "worker_code": "_worker.js"}


class Parts:
    """Writes long values of traits into `_static/figures`, and remembers the files of one page.

    `static` is where `_static` is, seen from the page, with a slash at its end.
    """

    def __init__(self, app, static):
        self.static = static
        self.folder = Path(app.outdir) / "_static" / "figures"
        self.folder.mkdir(exist_ok=True)
        self.bundled = Path(app.confdir) / "lib" / "figures" / "bundled"
        self.minify = ["node", Path(app.confdir) / "node_modules" / "esbuild" / "bin" / "esbuild", "--minify"]
        self.names = []

    def move(self, widgets):
        """Name a file in the place of each long value in the state of a page's widgets."""
        for widget in widgets["state"].values():
            state = self.current(widget["state"])
            widget["state"] = {name: self.refer(name, value) for name, value in state.items()}
        return widgets

    def current(self, state):
        """The state of a widget with the code of today, unless a build has moved the code to a file already."""
        room, _, figure = state.get("_anywidget_id", "").rpartition(".")[0].rpartition(".")
        if room != "lib.figures":
            return state
        held = [name for name in CODE if isinstance(state.get(name), str)]
        return state | {name: (self.bundled / f"{figure}{CODE[name]}").read_text("utf8") for name in held}

    def refer(self, name, value):
        text = json.dumps(value, ensure_ascii=False)
        if len(text) < LONG:
            return value
        digest = sha256(text.encode()).hexdigest()[:16]
        if not (file := self.folder / f"{digest}.js").exists():
            text = json.dumps(self.small(value, CODE[name].rpartition(".")[2])) if name in CODE else text
            file.write_text(f'(window.figureParts ??= {{}})["{digest}"] = {text};\n', "utf8")
        if name.endswith("_later"):
            return {"later": digest, "script": f"{self.static}figures/{digest}.js"}
        self.names.append(f"figures/{digest}.js")
        return {"part": digest}

    def small(self, code, language):
        """A figure's code or style without comments and spaces."""
        command = [*self.minify, f"--loader={language}"]
        return subprocess.run(command, input=code, capture_output=True, check=True, encoding="utf8").stdout


def share_parts(app, exception):
    """Let every page name the parts of its figures, and fetch the scripts of the page that follows it."""
    if exception or app.builder.format != "html":
        return
    pages = {path: path.read_text("utf8") for path in course_pages(app)}
    shared = {path: with_parts(page, Parts(app, static_from(app, path))) for path, page in pages.items()}
    for path, page in shared.items():
        follower = NEXT.search(page)
        following = shared.get((path.parent / follower[1]).resolve(), "") if follower else ""
        wanted = sorted(set(SCRIPT.findall(following)) - set(SCRIPT.findall(page)))
        static = static_from(app, path)
        links = "".join(f'<link rel="prefetch" as="script" href="{static}{name}">\n' for name in wanted)
        page = PREFETCH.sub("", page).replace("</head>", f"{links}</head>", 1)
        if page != pages[path]:
            path.write_text(page, "utf8")


def static_from(app, path):
    """Where `_static` is, seen from a page."""
    return "../" * len(path.relative_to(app.outdir).parent.parts) + "_static/"


def with_parts(page, parts):
    """The page with what is long in its figures' state in files, loaded before the widget runtime."""
    match = STATE.search(page)
    if not match:
        return page
    state = json.dumps(parts.move(json.loads(match[0])), ensure_ascii=False).replace("</", "<\\/")
    page = page[: match.start()] + state + page[match.end() :]
    scripts = "".join(
        f'<script defer src="{parts.static}{name}"></script>\n' for name in dict.fromkeys(parts.names)
    )
    return RUNTIME.sub(lambda runtime: scripts + runtime[0], page, count=1)


def setup(app):
    app.connect("build-finished", share_parts, priority=350)  # before the decks, which take over a page's head
    return {"parallel_read_safe": True, "parallel_write_safe": True}
