"""The end of chapter 7 on two worker processes: its own cells, with the threads exchanged for a cluster."""

import os
import tracemalloc
from functools import partial, reduce
from importlib.util import find_spec

import dask.array
import dask.bag
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from distributed import Client, LocalCluster

from lib.filters import bilateral, lark, nonlocal_means
from lib.random_features import linear_attention, merge_sums, orthogonal_frequencies, read_sums, sum_keys

# On a machine without a network Dask says that it goes by the machine's name; nothing here leaves 127.0.0.1.
pytestmark = pytest.mark.filterwarnings("ignore:Couldn't detect a suitable IP address:RuntimeWarning")

NOTEBOOK = nbformat.read(ROOT / "chapters" / "07_performer.ipynb", as_version=4)
CELLS = {cell.id: cell.source for cell in NOTEBOOK.cells}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, each a process with one thread. While it stands, every `compute()` runs there."""
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1"}
    options["local_directory"] = tmp_path_factory.mktemp("dask")
    # Any free port for the page of its state, so that two clusters can stand side by side.
    options["scheduler_kwargs"] = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def chapter(cluster):
    """The names that the chapter's cells of the section on many machines find, and those that they define."""
    imported = [linear_attention, merge_sums, orthogonal_frequencies, read_sums, sum_keys]
    imported += [bilateral, lark, nonlocal_means, partial, reduce, find_spec]
    names = {each.__name__: each for each in imported}
    image = np.random.default_rng(0).uniform(size=(101, 107))
    # As in a notebook: functions of `__main__` travel to the workers whole, not by name.
    return names | {"__name__": "__main__", "np": np, "dask": dask, "noisy": image, "have_dask": True}


def run(cell, names):
    exec(compile(CELLS[cell], cell, "exec"), names)


def test_cluster_is_two_other_processes(cluster):
    processes = set(cluster.run(os.getpid).values())
    assert len(processes) == 2 and os.getpid() not in processes


def test_linear_attention_over_keys_that_lie_in_two_processes(chapter, cluster, tmp_path):
    run("beyond-sums", chapter)  # compares with all keys at once
    drawn = chapter["keys_and_values"]

    def noted(part):
        (tmp_path / f"{part}-{os.getpid()}").touch()
        return drawn(part)

    chapter["keys_and_values"] = noted
    run("beyond-cluster", chapter)  # compares with one machine
    notes = [path.name.split("-") for path in tmp_path.iterdir()]
    assert sorted(int(part) for part, _ in notes) == list(range(8))
    assert {int(process) for _, process in notes} <= set(cluster.run(os.getpid).values())
    assert chapter["by_dask"].sums.shape == (256, 17)


def test_sums_from_the_workers_answer_as_one_machine_does(chapter):
    run("beyond-sums", chapter)
    total = dask.bag.from_sequence(range(5), npartitions=5).map(chapter["sums_of"]).fold(merge_sums).compute()
    sums = read_sums(chapter["questions"] / 2, total, chapter["frequencies"])  # 2 = 16 ** ¼
    keys, values = map(np.concatenate, zip(*map(chapter["keys_and_values"], range(5)), strict=True))
    at_once = linear_attention(chapter["questions"], keys, values, frequencies=chapter["frequencies"])
    assert sums[:, :-1] / sums[:, -1:] == pytest.approx(at_once, rel=1e-9, abs=1e-12)
    missing = linear_attention(chapter["questions"], keys[1:], values[1:], frequencies=chapter["frequencies"])
    assert at_once != pytest.approx(missing, rel=1e-9, abs=1e-12)  # a single key would be missed


def test_memory_is_that_of_one_part(chapter):
    run("beyond-sums", chapter)
    peaks = []
    for n_parts in (3, 12):
        tracemalloc.start()
        reduce(merge_sums, map(chapter["sums_of"], range(n_parts)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


FILTERS = {
    "bilateral": (partial(bilateral, bandwidth_space=9.0, bandwidth_value=0.5, radius=5), 5),
    "nonlocal_means": (partial(nonlocal_means, bandwidth=0.3, patch_radius=2, search_radius=5), 5 + 2),
    "lark": (partial(lark, bandwidth=30.0, radius=3, analysis_radius=2), 3 + 2 + 2),
    "lark, twice": (partial(lark, bandwidth=30.0, radius=2, analysis_radius=1, n_iterations=2), 2 * (2 + 1 + 2)),
    "lark, order 2, twice": (
        partial(lark, bandwidth=30.0, radius=3, order=2, analysis_radius=1, n_iterations=2),
        2 * (3 + 1 + 2) - 2,
    ),
}


def in_tiles(image_filter, image, margin):
    tiles = dask.array.from_array(image, chunks=(31, 29))
    return tiles.map_overlap(image_filter, depth=margin, boundary="none", dtype=image.dtype).compute()


@pytest.mark.parametrize("name", FILTERS)
def test_filtered_tiles_are_the_filtered_image(name, cluster):
    image_filter, margin = FILTERS[name]
    image = np.random.default_rng(1).uniform(size=(67, 71))
    whole = image_filter(image)
    assert np.abs(in_tiles(image_filter, image, margin) - whole).max() < 1e-12
    assert np.abs(in_tiles(image_filter, image, margin - 1) - whole).max() > 1e-9  # no pixel less


def test_filters_of_the_chapter_in_tiles(chapter, capsys):
    run("beyond-tiles-code", chapter)  # has its own assertions
    assert capsys.readouterr().out.count("off by") == 3


def test_reflection_by_dask_repeats_the_outermost_pixel():
    image = np.arange(12.0).reshape(3, 4)
    grown = dask.array.overlap.overlap(dask.array.from_array(image), depth=2, boundary="reflect")
    assert np.array_equal(grown.compute(scheduler="synchronous"), np.pad(image, 2, mode="symmetric"))


def test_without_dask_the_cells_say_so_and_do_nothing(chapter, capsys):
    chapter |= {"find_spec": lambda name: None}
    del chapter["dask"], chapter["have_dask"]
    for cell in ("beyond-engine", "beyond-cluster", "beyond-tiles-code"):
        run(cell, chapter)
    assert capsys.readouterr().out.startswith("Skipped, for want of Dask")
