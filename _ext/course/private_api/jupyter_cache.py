"""Private API of Jupyter Cache: what the cache key of a notebook's results depends on."""

from functools import partialmethod

from jupyter_cache.cache.main import JupyterCacheBase as Cache

from tools.build.imports import notebook_key

hashed = Cache.create_hashed_notebook


def key_on_code_and_imports():
    """Reuse the results of a notebook whose captions or notes differ, and give it the current ones.

    A change of a module that the notebook imports makes a new key.
    """
    Cache.create_hashed_notebook = hash_with_imports
    Cache.merge_match_into_notebook = partialmethod(Cache.merge_match_into_notebook, cell_meta=())


def hash_with_imports(cache, notebook):
    """Return the notebook and its key: code, tags and imported modules."""
    notebook, key = hashed(cache, notebook, cell_metadata=("tags",))
    return notebook, f"{key}-{notebook_key([cell.source for cell in notebook.cells])}"
