"""Execute the chapters that are not in the cache in parallel, one per core, which halves the build time.

MyST-NB executes notebooks one after the other while reading them. Sphinx's `-j` gives each process ten consecutive
pages, so nearly all chapters go to the first. MyST-NB then finds the results in the cache, and executes a failed
chapter once more to report the error.

A notebook is executed again when its code or a cell's tags change, but not when a caption or a slide's notes
change.
"""

import logging
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor


def execute_ahead(app):
    root, cache = Path(app.srcdir), get_cache(app.config.nb_execution_cache_path)
    folders = ("chapters/", "pages/", "")
    notebooks = [str(path) for folder in folders for path in sorted(root.glob(f"{folder}*.ipynb"))]
    for path in notebooks:
        cache.add_nb_to_project(path)
    if cache.list_unexecuted(filter_uris=notebooks):
        executor = load_executor("local-parallel", cache, logging.getLogger(__name__))
        executor.run_and_cache(filter_uris=notebooks, timeout=app.config.nb_execution_timeout)
