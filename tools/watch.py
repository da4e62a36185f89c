"""Serve the built course, build it again when a source changes, and open pages load again. Run by `make serve`.

Only the server adds the script that does so to a page; the built files stay as they are. The pages of the last
build that went well are kept aside, and served until the next one goes well.
"""

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from serve import QuietHandler, first_free_server

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "_ext"))
import figure_parts  # noqa: E402

SOURCES = ("*.md", "*.ipynb", "*.bib", "*.yml", "chapters/*", "figures/*", "teaching/*")
SOURCES += ("lib/**/*", "_ext/**/*", "tests/**/*.py")
SCRIPT = b"""const build = () => fetch("/reload/build").then((answer) => answer.text());
const look = (shown) => build().then((now) => now === shown || location.reload(), () => {});
build().then((shown) => setInterval(look, 200, shown));
"""
TAG = b'<script src="/reload/script.js"></script>'  # the site's policy allows a file of its own host
# Each build begins as a copy of a process that has these loaded; nothing of the course itself, which changes.
LOADED = ["jupyter_book.cli.main", "jupyter_book.sphinx", "myst_nb.sphinx_ext", "matplotlib.pyplot"]
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(LOADED)
PAUSE = 0.2  # seconds between two looks at the sources


class ReloadingHandler(QuietHandler):
    """Serves the pages kept in `directory`, and what is not there from the built site, the server's `built`."""

    def translate_path(self, path):
        kept = Path(super().translate_path(path))
        if kept.is_file() or (kept / "index.html").is_file():
            return super().translate_path(path)
        return str(self.server.built / kept.relative_to(self.directory))

    def do_GET(self):
        address = urlsplit(self.path).path
        page = Path(self.translate_path(address + "index.html" if address.endswith("/") else address))
        if address == "/reload/build":
            self.send_whole(self.server.build.encode(), "text/plain")
        elif address == "/reload/script.js":
            self.send_whole(SCRIPT, "text/javascript")
        elif page.suffix == ".html" and page.is_relative_to(self.directory):
            self.send_whole(page.read_bytes().replace(b"</body>", TAG + b"</body>"), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def send_whole(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def modified(root):
    """When each source below `root` was last changed."""
    paths = {path for pattern in SOURCES for path in root.glob(pattern) if path.is_file()}
    names = {path: path.relative_to(root).parts for path in paths}
    return {path: path.stat().st_mtime_ns for path in paths if not any(hidden(name) for name in names[path])}


def hidden(name):
    """What an editor keeps for itself, and what Python and `make bundle` make of sources."""
    return name.startswith(".") or name in ("__pycache__", "bundled")


def keep_pages(server, kept):
    """Copy the pages of the built site and the headers that belong to them, then name the build to open pages."""
    for path in (server.built / "_headers", *server.built.rglob("*.html")):
        name = path.relative_to(server.built)
        if path.is_file() and name.parts[0] != "lite":
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kept / name)
    server.build = str((server.built / ".built").stat().st_mtime_ns)


class Book:
    """Builds the site below `root`. All that comes before the first page is done while nobody waits."""

    def __init__(self, root):
        self.root = root
        self.prepare()

    def prepare(self):
        """Start a process that reads the configuration, the extensions and the last build, and then waits."""
        self.read, self.edited = what_pages_need(self.root), PROCESSES.Event()
        self.process = PROCESSES.Process(target=run_jupyter_book, args=(self.root, self.edited), daemon=True)
        self.process.start()

    def __call__(self, root):
        """Build what was edited, and return whether that went well."""
        start = time.time()
        if self.read != what_pages_need(self.root):
            self.process.kill()
            self.prepare()
        self.edited.set()
        self.process.join()
        good = self.process.exitcode == 0
        if good:  # `make` will find it done, except for what was edited meanwhile
            os.utime(self.root / "_build" / "html" / ".built", (start, start))
        self.prepare()
        return good


def what_pages_need(root):
    """When each source was last changed that a build reads before it reads pages."""
    return {path: changed for path, changed in modified(root).items() if path.suffix not in (".md", ".ipynb")}


def run_jupyter_book(root, edited):
    """Run what the Makefile runs for a book, but wait before the first page until it was edited."""
    from jupyter_book.cli.main import main
    from pybtex import plugin, richtext
    from sphinx.application import Sphinx
    from sphinx.util.logging import suppress_logging

    plugin._load_entry_point = cache(plugin._load_entry_point)  # else it reads all packages for each citation
    richtext.Text.from_latex = cache(richtext.Text.from_latex)
    gc.disable()  # the process ends with its build, which would look through millions of objects that it needs
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process
    build = Sphinx.build

    def build_when_edited(app, *pages):
        if references := app.env.domains.get("cite"):
            with suppress_logging():  # a fault of the last build may be mended by the edit
                references.env_updated()  # it reads the LaTeX of all of them, and will again
        edited.wait()
        build(app, *pages)

    Sphinx.build = build_when_edited
    os.chdir(root)
    main(["build", ".", "-W", "-n", "--keep-going", "--quiet"])


def build_figures(root):
    """Bundle the live figures, give the built pages their code, and return whether that went well."""
    if subprocess.run([sys.executable, root / "tools" / "bundle_figures.py"]).returncode:
        return False
    figure_parts.refresh(root)
    (root / "_build" / "html" / ".built").touch()
    return True


def of_figure(path):
    """Whether a source is a script or a style of the live figures, on which no notebook depends."""
    return path.parent.parts[-2:] == ("lib", "figures") and path.suffix in (".js", ".css")


def needed(changed, build, figures):
    """What has to be built after these sources changed: the figures, all else, or both."""
    return [figures] * any(map(of_figure, changed)) + [build] * (not all(map(of_figure, changed)))


def build_again(root, server, kept, *builds):
    """Build the site; when that goes wrong, say so and change nothing of what is served."""
    print("\nBuilding again", flush=True)
    start = time.monotonic()
    if all(build(root) for build in builds):
        keep_pages(server, kept)
        print(f"Built in {time.monotonic() - start:.1f} s; open pages load again.", flush=True)
    else:
        print("The build went wrong, see above. The pages are those of the last good one.", flush=True)


def watch(root, server, kept, build, figures=build_figures):
    """Look at the sources for ever, and build what is needed when some have changed."""
    before = modified(root)
    while True:
        time.sleep(PAUSE)
        try:
            now = modified(root)
        except FileNotFoundError:  # an editor replaced a file just now
            continue
        if changed := {path for path, _ in before.items() ^ now.items()}:
            before = now
            build_again(root, server, kept, *needed(changed, build, figures))


def make_watching_server(root, kept, ports=range(8000, 8100)):
    """A server of the site that is built below `root`; it keeps the pages in the folder `kept`."""
    server = first_free_server(kept, ports, ReloadingHandler)
    server.built = root / "_build" / "html"
    keep_pages(server, kept)
    return server


def main(root):
    with TemporaryDirectory() as folder:
        kept = Path(folder).resolve()
        server = make_watching_server(root, kept)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"\nThe course is at http://localhost:{server.server_port}/  (Ctrl+C stops it)", flush=True)
        try:
            watch(root, server, kept, Book(root))
        except KeyboardInterrupt:
            print("\nStopped.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
