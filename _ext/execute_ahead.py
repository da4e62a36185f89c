"""Executes the chapters that the cache lacks, one per core and at most four at a time.

MyST-NB reads one page after the other, and would execute them so. It finds in the cache what was executed here,
and executes what failed here once more, to say why.
"""

import asyncio
import os
import time
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from sphinx.util import logging

logger = logging.getLogger(__name__)
MOST = 4  # kernels: each holds the memory of a chapter


def is_cached(cache, notebook):
    try:
        return bool(cache.match_cache_notebook(notebook))
    except KeyError:
        return False


async def execute(path, notebook, cache, timeout, kernels):
    """Execute the notebook as soon as a kernel is free, and keep it if it ran to its end."""
    options = {"timeout": timeout, "record_timing": False, "resources": {"metadata": {"path": str(path.parent)}}}
    async with kernels:
        start = time.monotonic()
        try:
            await NotebookClient(notebook, **options).async_execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError):
            return
    bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": time.monotonic() - start})
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


async def execute_all(notebooks, cache, timeout):
    """Execute the notebooks, by path, that the cache lacks."""
    waiting = {path: notebook for path, notebook in notebooks.items() if not is_cached(cache, notebook)}
    if waiting:
        logger.info(f"executing {', '.join(path.stem for path in waiting)}")
    kernels = asyncio.Semaphore(min(os.cpu_count(), MOST))
    await asyncio.gather(*(execute(path, each, cache, timeout, kernels) for path, each in waiting.items()))


def execute_ahead(app):
    root = Path(app.srcdir)
    paths = [*sorted(root.glob("chapters/*.ipynb")), *sorted(root.glob("*.ipynb"))]
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths}
    cache = get_cache(app.config.nb_execution_cache_path)
    asyncio.run(execute_all(notebooks, cache, app.config.nb_execution_timeout))


def setup(app):
    app.connect("builder-inited", execute_ahead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
