"""Executes the chapters that the cache lacks, one per core: without it whoever builds waits twice as long.

MyST-NB reads one page after the other, and would execute them so. Sphinx's `-j` gives ten pages in a row to one
process, and so nearly all chapters to the first. MyST-NB finds in the cache what was executed here, and executes
what failed here once more, to say why.
"""

import logging
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor


def execute_ahead(app):
    root, cache = Path(app.srcdir), get_cache(app.config.nb_execution_cache_path)
    for path in [*sorted(root.glob("chapters/*.ipynb")), *sorted(root.glob("*.ipynb"))]:
        cache.add_nb_to_project(str(path))
    executor = load_executor("local-parallel", cache, logging.getLogger(__name__))
    executor.run_and_cache(timeout=app.config.nb_execution_timeout)


def setup(app):
    app.connect("builder-inited", execute_ahead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
