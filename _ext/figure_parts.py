"""What live figures are made of, code and photographs, in files that the pages share.

Pages with the same figure would each hold its code and its photograph in their widgets' state. Here whatever is
long there moves into files of its own. A browser keeps them, and fetches what the next page needs ahead of time.
"""

import json
import re
import subprocess
from hashlib import sha256
from pathlib import Path

from course_site import course_pages

STATE = re.compile(r'(?<=<script type="application/vnd\.jupyter\.widget-state\+json">).*?(?=</script>)', re.DOTALL)
RUNTIME = re.compile(r'<script [^>]*src="([^"]*)widgets/widgets\.js')
SCRIPT = re.compile(r'<script [^>]*src="[^"]*_static/([^"]+)"')
PREFETCH = re.compile(r'<link rel="prefetch" as="script" href="[^"]*">\n')
NEXT = re.compile(r'<a class="right-next"\s+href="([^"#]+)"')
LONG = 1000  # letters, as JSON
CODE = {"_esm": "js", "_css": "css"}  # traits that anywidget runs


class Parts:
    """Writes long values of traits into `_static/figures`, and remembers the files of one page."""

    def __init__(self, app):
        self.folder = Path(app.outdir) / "_static" / "figures"
        self.folder.mkdir(exist_ok=True)
        self.minify = ["node", Path(app.confdir) / "node_modules" / "esbuild" / "bin" / "esbuild", "--minify"]
        self.names = []

    def move(self, widgets):
        """Put `{"part": digest}` in the place of each long value in the state of a page's widgets."""
        for widget in widgets["state"].values():
            widget["state"] = {name: self.refer(name, value) for name, value in widget["state"].items()}
        return widgets

    def refer(self, name, value):
        text = json.dumps(value, ensure_ascii=False)
        if len(text) < LONG:
            return value
        digest = sha256(text.encode()).hexdigest()[:16]
        self.names.append(f"figures/{digest}.js")
        if not (file := self.folder / f"{digest}.js").exists():
            text = json.dumps(self.small(value, CODE[name])) if name in CODE else text
            file.write_text(f'(window.figureParts ??= {{}})["{digest}"] = {text};\n', "utf8")
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
    shared = {path: with_parts(page, Parts(app)) for path, page in pages.items()}
    for path, page in shared.items():
        follower = NEXT.search(page)
        following = shared.get((path.parent / follower[1]).resolve(), "") if follower else ""
        wanted = sorted(set(SCRIPT.findall(following)) - set(SCRIPT.findall(page)))
        static = "../" * len(path.relative_to(app.outdir).parent.parts) + "_static/"
        links = "".join(f'<link rel="prefetch" as="script" href="{static}{name}">\n' for name in wanted)
        page = PREFETCH.sub("", page).replace("</head>", f"{links}</head>", 1)
        if page != pages[path]:
            path.write_text(page, "utf8")


def with_parts(page, parts):
    """The page with what is long in its figures' state in files, loaded before the widget runtime."""
    match = STATE.search(page)
    if not match:
        return page
    state = json.dumps(parts.move(json.loads(match[0])), ensure_ascii=False).replace("</", "<\\/")
    page = page[: match.start()] + state + page[match.end() :]
    static = RUNTIME.search(page)[1]
    scripts = "".join(f'<script defer src="{static}{name}"></script>\n' for name in dict.fromkeys(parts.names))
    return RUNTIME.sub(lambda runtime: scripts + runtime[0], page, count=1)


def setup(app):
    app.connect("build-finished", share_parts, priority=350)  # before the decks, which take over a page's head
    return {"parallel_read_safe": True, "parallel_write_safe": True}
