"""Execute the chapters that are not in the cache in parallel, one per core, which halves the build time.

MyST-NB executes notebooks one after the other while reading them. Sphinx's `-j` gives each process ten consecutive
pages, so nearly all chapters go to the first. MyST-NB then finds the results in the cache, and executes a failed
chapter once more to report the error.

A notebook is executed again when its code, a cell's tags or a module that it imports change, but not when a
caption or a slide's notes change. Its page is then read again, too.
"""

import json
import logging
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor

from tools.build.imports import notebook_key

KEPT = 100  # results in the cache, in case an edit is reverted


def execute_ahead(app):
    root, cache = Path(app.srcdir), get_cache(app.config.nb_execution_cache_path)
    folders = ("chapters/", "pages/", "")
    notebooks = [str(path) for folder in folders for path in sorted(root.glob(f"{folder}*.ipynb"))]
    cache.change_cache_limit(KEPT)
    for path in notebooks:
        cache.add_nb_to_project(path)
    if cache.list_unexecuted(filter_uris=notebooks):
        executor = load_executor("local-parallel", cache, logging.getLogger(__name__))
        executor.run_and_cache(filter_uris=notebooks, timeout=app.config.nb_execution_timeout)


def pages_to_read(app, env, added, changed, removed):
    """Return the pages of the notebooks whose imports have changed since the last build."""
    paths = {page: Path(env.doc2path(page)) for page in env.found_docs}
    keys = {page: key_of(path) for page, path in paths.items() if path.suffix == ".ipynb"}
    before, env.course_notebook_keys = getattr(env, "course_notebook_keys", {}), keys
    return [page for page, key in keys.items() if before.get(page) != key]


def key_of(path):
    cells = json.loads(path.read_text("utf8"))["cells"]
    return notebook_key(["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"])
