"""Private API of Jupyter Cache: which parts of a notebook form its cache key."""

from functools import partialmethod

from jupyter_cache.cache.main import JupyterCacheBase as Cache


def compare_code_and_tags():
    """Reuse the results of a notebook whose captions or notes differ, and give it the current ones."""
    Cache.create_hashed_notebook = partialmethod(Cache.create_hashed_notebook, cell_metadata=("tags",))
    Cache.merge_match_into_notebook = partialmethod(Cache.merge_match_into_notebook, cell_meta=())
