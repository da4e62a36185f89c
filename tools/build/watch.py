"""Serve the built course, rebuild it when a source changes, and reload open pages. Run by `make serve`.

Only the server adds the script that reloads a page; the built files do not change. A copy of the last successful
build's pages is served until the next build succeeds.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from tools.build.bundle_figures import write_code
from tools.build.serve import QuietHandler, first_free_server
from tools.build.sources import sources

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = b"""const build = () => fetch("/reload/build").then((answer) => answer.text());
const look = (shown) => build().then((now) => now === shown || location.reload(), () => {});
build().then((shown) => setInterval(look, 200, shown));
"""
TAG = b'<script src="/reload/script.js"></script>'
PAUSE = 0.2  # seconds between two checks of the sources


class ReloadingHandler(QuietHandler):
    """Serve the pages in `directory`, and any other file from the built site, the server's `built`."""

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


def modified(root):
    """Return the modification time of each source of the book below `root`, except the generated bundles."""
    paths = [path for path in sources("book", root) if path.parent.name != "bundled"]
    return {path: path.stat().st_mtime_ns for path in paths}


def keep_pages(server, kept):
    """Copy the pages of the built site, then publish the new build's ID to open pages."""
    for path in server.built.rglob("*.html"):
        name = path.relative_to(server.built)
        if name.parts[0] != "lite":
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kept / name)
    server.build = str((server.built / ".built").stat().st_mtime_ns)


def build_book(root):
    """Run Make for the edited files, and return whether it succeeded."""
    environment = os.environ | {"MAKEFLAGS": ""}  # without the options of `make serve`
    return subprocess.run(["make", "--quiet", "_build/html/.built"], cwd=root, env=environment).returncode == 0


def build_figures(root):
    """Bundle the live figures and update the built pages; return whether this succeeded."""
    if subprocess.run([sys.executable, "-m", "tools.build.bundle_figures"], cwd=root).returncode:
        return False
    write_code(root, root / "_build" / "html" / "_static")
    (root / "_build" / "html" / ".built").touch()
    return True


def of_figure(path):
    """Return whether a source is a script or a style of the live figures, on which no notebook depends."""
    return path.parts[-4:-2] == ("lib", "figures") and path.suffix in (".js", ".css")


def needed(changed, build, figures):
    """Return what must be built after these sources changed: the figures, everything else, or both."""
    return [figures] * any(map(of_figure, changed)) + [build] * (not all(map(of_figure, changed)))


def build_again(root, server, kept, *builds):
    """Build the site; if that fails, say so and keep serving the previous pages."""
    print("\nBuilding again", flush=True)
    start = time.monotonic()
    if all(build(root) for build in builds):
        keep_pages(server, kept)
        print(f"Built in {time.monotonic() - start:.1f} s; open pages reload.", flush=True)
    else:
        print("The build failed, see above. The pages are those of the last successful build.", flush=True)


def watch(root, server, kept, build=build_book, figures=build_figures):
    """Check the sources repeatedly, and build what is needed after a change."""
    before = modified(root)
    while True:
        time.sleep(PAUSE)
        try:
            now = modified(root)
        except FileNotFoundError:  # an editor is replacing a file
            continue
        if changed := {path for path, _ in before.items() ^ now.items()}:
            before = now
            build_again(root, server, kept, *needed(changed, build, figures))


def make_watching_server(root, kept, ports=range(8000, 8100)):
    """Return a server of the site built below `root`; it keeps its copy of the pages in the folder `kept`."""
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
            watch(root, server, kept)
        except KeyboardInterrupt:
            print("\nStopped.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
