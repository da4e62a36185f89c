"""Chapters are executed several at a time, each once, and found by MyST-NB in the cache."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from execute_ahead import execute_all, is_cached
from jupyter_cache import get_cache


def notebook(source):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])


@pytest.fixture
def cache(tmp_path):
    return get_cache(str(tmp_path / "cache"))


def test_what_the_cache_lacks_is_executed_once_and_what_fails_is_not_kept(cache, tmp_path):
    count = "print(open('runs', 'a').write('x'), 1 + {})"
    sources = {"one": count.format(1), "two": count.format(2), "bad": "1 / 0"}
    fresh = lambda: {tmp_path / f"{name}.ipynb": notebook(source) for name, source in sources.items()}
    for _ in range(2):
        with ThreadPoolExecutor(1) as thread:  # a browser fixture may hold this thread's event loop
            thread.submit(asyncio.run, execute_all(fresh(), cache, timeout=600)).result()
    assert (tmp_path / "runs").read_text() == "xx"
    assert [is_cached(cache, each) for each in fresh().values()] == [True, True, False]
    _, merged = cache.merge_match_into_notebook(notebook(sources["two"]))
    assert merged.cells[0].outputs[0].text == "1 3\n"
