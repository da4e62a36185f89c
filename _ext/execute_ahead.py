"""Executes the chapters that the cache lacks, as many at a time as there are cores.

MyST-NB reads one page after the other, and would execute them so. It finds in the cache what was executed here,
and executes what failed here once more, to say why.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from sphinx.util import logging

logger = logging.getLogger(__name__)
MOST = 4  # kernels: each holds the memory of a chapter


def is_cached(cache, notebook):
    try:
        return bool(cache.match_cache_notebook(notebook))
    except KeyError:
        return False


def execute_all(notebooks, cache, timeout):
    """Execute the notebooks (by path) that the cache lacks, and keep those that ran to their end."""
    waiting = {path: notebook for path, notebook in notebooks.items() if not is_cached(cache, notebook)}
    if waiting:
        logger.info(f"executing {', '.join(path.stem for path in waiting)}")

    def execute(path):
        return single_nb_execution(waiting[path], cwd=str(path.parent), timeout=timeout, allow_errors=False)

    with ThreadPoolExecutor(min(os.cpu_count(), MOST)) as pool:
        for path, result in zip(waiting, pool.map(execute, waiting), strict=True):
            if result.err is None:
                bundle = CacheBundleIn(waiting[path], str(path), data={"execution_seconds": result.time})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def execute_ahead(app):
    root = Path(app.srcdir)
    paths = [*sorted(root.glob("chapters/*.ipynb")), *sorted(root.glob("*.ipynb"))]
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths}
    execute_all(notebooks, get_cache(app.config.nb_execution_cache_path), app.config.nb_execution_timeout)


def setup(app):
    app.connect("builder-inited", execute_ahead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
