"""From the inside of Jupyter Cache: what of a notebook decides whether it is executed again."""

from functools import partialmethod

from jupyter_cache.cache.main import JupyterCacheBase as Cache


def compare_code_and_tags():
    """Take what was executed for a notebook with other captions or notes, and give it the captions of today."""
    Cache.create_hashed_notebook = partialmethod(Cache.create_hashed_notebook, cell_metadata=("tags",))
    Cache.merge_match_into_notebook = partialmethod(Cache.merge_match_into_notebook, cell_meta=())
