"""Executes the chapters that the cache lacks, one per core: without it whoever builds waits twice as long.

MyST-NB reads one page after the other, and would execute them so. Sphinx's `-j` gives ten pages in a row to one
process, and so nearly all chapters to the first. MyST-NB finds in the cache what was executed here, and executes
what failed here once more, to say why.

A notebook is executed again when its code or the tags of a cell change, and not for a caption or a slide's notes.
"""

import logging
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor


def execute_ahead(app):
    root, cache = Path(app.srcdir), get_cache(app.config.nb_execution_cache_path)
    notebooks = [str(path) for path in (*sorted(root.glob("chapters/*.ipynb")), *sorted(root.glob("*.ipynb")))]
    for path in notebooks:
        cache.add_nb_to_project(path)
    if cache.list_unexecuted(filter_uris=notebooks):
        executor = load_executor("local-parallel", cache, logging.getLogger(__name__))
        executor.run_and_cache(filter_uris=notebooks, timeout=app.config.nb_execution_timeout)
