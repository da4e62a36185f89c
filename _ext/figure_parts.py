"""What live figures are made of, code and photographs, in files that the pages share.

Pages with the same figure would each hold its code and its photograph in their widgets' state. Here whatever is
long there moves into files of its own. A browser keeps them. A page names the scripts of the next one, and fetches
them when its reader is half through (`course.js`).

The code is that of today, `lib/figures/bundled`, and not what the notebook held when it was executed: an edit of a
figure's JavaScript executes no notebook.

A trait whose name ends in `_later` is too heavy for that. No page loads its file, now or ahead of time: the figure
asks for it when its reader comes near (`later` in `lib/figures/workers.js`).
"""

import json
import re
import subprocess
from hashlib import sha256
from posixpath import dirname, join, normpath

from page_files import read_pages, write_pages, write_whole

STATE = re.compile(r'(?<=<script type="application/vnd\.jupyter\.widget-state\+json">).*?(?=</script>)', re.DOTALL)
RUNTIME = re.compile(r'<script [^>]*src="[^"]*widgets/widgets\.js')
SCRIPT = re.compile(r'<script [^>]*src="[^"]*_static/([^"]+)"')
PART = re.compile(r'<script defer src="[^"]*_static/figures/[^"]*"></script>\n')
AHEAD = re.compile(r'<meta name="next-scripts" content="[^"]*">\n')
NEXT = re.compile(r'<a class="right-next"\s+href="([^"#]+)"')
LONG = 1000  # letters, as JSON
# Traits that hold code, and how the names of its files end.
CODE = {"_esm": ".js", "_css": ".css", "worker_code": "_worker.js"}


class Parts:
    """Writes long values of traits into `_static/figures`, and remembers the files of one page.

    `static` is where `_static` is, seen from the page, with a slash at its end.
    """

    def __init__(self, root, out, static):
        self.static = static
        self.folder = out / "_static" / "figures"
        self.folder.mkdir(exist_ok=True)
        self.bundled = root / "lib" / "figures" / "bundled"
        self.minify = ["node", root / "node_modules" / "esbuild" / "bin" / "esbuild", "--minify"]
        self.names = []

    def move(self, widgets):
        """Name a file in the place of each long value in the state of a page's widgets."""
        for widget in widgets["state"].values():
            state = self.current(widget["state"])
            widget["state"] = {name: self.refer(name, value) for name, value in state.items()}
        return widgets

    def current(self, state):
        """The state of a widget with the code of today, whatever the notebook or an earlier build put there."""
        room, _, figure = state.get("_anywidget_id", "").rpartition(".")[0].rpartition(".")
        if room != "lib.figures":
            return state
        held = [name for name in CODE if isinstance(state.get(name), str | dict)]
        return state | {name: (self.bundled / f"{figure}{CODE[name]}").read_text("utf8") for name in held}

    def refer(self, name, value):
        if isinstance(value, dict) and value.keys() == {"part"}:  # moved by an earlier build
            self.names.append(f"figures/{value['part']}.js")
            return value
        text = json.dumps(value, ensure_ascii=False)
        if len(text) < LONG:
            return value
        digest = sha256(text.encode()).hexdigest()[:16]
        if not (file := self.folder / f"{digest}.js").exists():
            text = json.dumps(self.small(value, CODE[name].rpartition(".")[2])) if name in CODE else text
            write_whole(file, f'(window.figureParts ??= {{}})["{digest}"] = {text};\n'.encode())
        if name.endswith("_later"):
            return {"later": digest, "script": f"{self.static}figures/{digest}.js"}
        self.names.append(f"figures/{digest}.js")
        return {"part": digest}

    def small(self, code, language):
        """A figure's code or style without comments and spaces."""
        command = [*self.minify, f"--loader={language}"]
        return subprocess.run(command, input=code, capture_output=True, check=True, encoding="utf8").stdout


def with_parts(page, parts):
    """The page with what is long in its figures' state in files, loaded before the widget runtime."""
    page = PART.sub("", page)
    found = list(STATE.finditer(page))
    if not found:
        return page
    if len(found) > 1:
        raise ValueError(f"expected the state of a page's figures once, got it {len(found)} times")
    match = found[0]
    state = json.dumps(parts.move(json.loads(match[0])), ensure_ascii=False).replace("</", "<\\/")
    page = page[: match.start()] + state + page[match.end() :]
    scripts = "".join(
        f'<script defer src="{parts.static}{name}"></script>\n' for name in dict.fromkeys(parts.names)
    )
    page, places = RUNTIME.subn(lambda runtime: scripts + runtime[0], page, count=1)
    if not places:
        raise ValueError("expected a page with live figures to load widgets/widgets.js")
    return page


def of_today(pages, root, out):
    """The pages by their names, with figures that run the code of today."""
    return {name: with_parts(page, Parts(root, out, static_from(name))) for name, page in pages.items()}


def static_from(name):
    """Where `_static` is, seen from the page of this name, with a slash at its end."""
    return "../" * name.count("/") + "_static/"


def with_names_ahead(pages):
    """The pages by their names, each of which names the scripts of the page that follows it."""
    return {name: naming(page, following(page, name, pages), static_from(name)) for name, page in pages.items()}


def following(page, name, pages):
    """The page that a page's last link leads to."""
    link = NEXT.search(page)
    return pages.get(normpath(join(dirname(name), link[1])).removesuffix(".html"), "") if link else ""


def naming(page, follower, static):
    wanted = sorted(set(SCRIPT.findall(follower)) - set(SCRIPT.findall(page)))
    names = " ".join(f"{static}{name}" for name in wanted)
    ahead = f'<meta name="next-scripts" content="{names}">\n' if wanted else ""
    return AHEAD.sub("", page).replace("</head>", f"{ahead}</head>", 1)


def refresh(root):
    """Give the built site the code of today. Nothing else of a page depends on it, so Sphinx is not asked."""
    out = root / "_build" / "html"
    before = read_pages(out)
    write_pages(out, with_names_ahead(of_today(before, root, out)), before)
