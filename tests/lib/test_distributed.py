"""Methods on chunks equal those of `lib` on the whole data, with a cluster of workers and without one."""

import os
import re
import subprocess
import sys
import textwrap
from contextlib import suppress
from functools import partial
from pathlib import Path

import dask
import dask.array
import numpy as np
import pytest
from distributed import Client, LocalCluster

from lib import attention, distributed, filters, random_features, regression
from tests.conftest import ROOT
from tests.invalid_input import rejected

# Without a network, Dask warns that it falls back on the host name; these tests use only 127.0.0.1.
pytestmark = pytest.mark.filterwarnings("ignore:Couldn't detect a suitable IP address:RuntimeWarning")
MEGABYTE, STATUS = 2**20, Path("/proc/self/status")
LIMIT = 320 * MEGABYTE  # for a worker


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def chunked(array, *sizes):
    return dask.array.from_array(array, chunks=sizes + array.shape[len(sizes) :])


@pytest.fixture(params=[np.float64, np.float32], ids=["double", "single"])
def tokens(request):
    """Queries, keys and values `(n, 3)`, and the tolerance of comparisons."""
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=(n, 3)).astype(request.param) for n in (53, 101, 101)]
    return arrays, {"rtol": 0, "atol": 1e-10 if request.param == np.float64 else 1e-5}


CHUNKS = pytest.mark.parametrize("of_queries, of_keys", [(7, 13), (53, 101), (1, 50), (60, 1)])


@pytest.mark.equation("eq:nadaraya_watson", against="`lib.regression` on the whole")
@CHUNKS
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "cauchy"])
def test_distributed_nadaraya_watson_equals_single_call(tokens, of_queries, of_keys, kernel):
    (queries, keys, values), near = tokens
    queries[5], queries[6] = 40, 1e4  # far from all keys
    result = distributed.nadaraya_watson(
        chunked(queries, of_queries), chunked(keys, of_keys), chunked(values, of_keys), 0.6, kernel
    )
    assert isinstance(result, dask.array.Array) and result.dtype == queries.dtype
    expected = regression.nadaraya_watson(queries, keys, values, 0.6, kernel)
    np.testing.assert_allclose(result.compute(), expected, **near)


def test_distributed_regression_accepts_one_dimensional_arrays(tokens):
    arrays, near = tokens
    queries, keys, values = (array[:, 0] for array in arrays)
    lazy = distributed.nadaraya_watson(chunked(queries, 9), chunked(keys, 20), chunked(values, 20), 0.3)
    np.testing.assert_allclose(lazy.compute(), regression.nadaraya_watson(queries, keys, values, 0.3), **near)


@pytest.mark.equation("eq:leave_one_out_error", against="`lib.regression` on the whole")
@pytest.mark.parametrize("size", [5, 50, 101])
def test_distributed_leave_one_out_error_equals_single_call(tokens, size):
    (_, keys, values), near = tokens
    result = distributed.leave_one_out_error(chunked(keys, size), chunked(values, size), 0.9)
    assert result.shape == ()
    np.testing.assert_allclose(result.compute(), regression.leave_one_out_error(keys, values, 0.9), **near)


@pytest.mark.equation("eq:attention", against="`lib.attention` on the whole")
@CHUNKS
@pytest.mark.parametrize("is_masked", [False, True])
def test_distributed_attention_equals_single_call(tokens, of_queries, of_keys, is_masked):
    (queries, keys, values), near = tokens
    queries, keys = 3 * queries, 3 * keys + 1
    mask = np.tril(np.random.default_rng(4).random((53, 101)) < 0.7, 60) if is_masked else None
    if is_masked:
        mask[3] = False
    lazy_mask = chunked(mask, of_queries, of_keys) if is_masked else None
    lazy = chunked(queries, of_queries), chunked(keys, of_keys), chunked(values, of_keys)
    result = distributed.attention(*lazy, temperature=1.5, mask=lazy_mask)
    assert result.dtype == queries.dtype
    expected = attention.attention(queries, keys, values, temperature=1.5, mask=mask)
    np.testing.assert_allclose(result.compute(), expected, **near)


def test_attention_is_accurate_for_log_weights_of_every_magnitude():
    """One chunk of keys has all the weight; the sum of the weights of another would underflow."""
    rng = np.random.default_rng(5)
    queries, keys, values = rng.normal(size=(5, 2)), rng.normal(size=(30, 2)), rng.normal(size=30)
    keys[10:20] *= 1e3
    lazy = distributed.attention(chunked(queries, 2), chunked(keys, 10), chunked(values, 10))
    np.testing.assert_allclose(lazy.compute(), attention.attention(queries, keys, values), atol=1e-10)


@pytest.mark.equation("eq:linear_attention", against="`lib.random_features` on the whole")
@CHUNKS
@pytest.mark.parametrize("feature_map", ["positive", "hyperbolic", "trigonometric"])
def test_distributed_linear_attention_equals_single_call(tokens, of_queries, of_keys, feature_map):
    (queries, keys, values), near = tokens
    queries, keys = queries / 2, keys / 2
    lazy = chunked(queries, of_queries), chunked(keys, of_keys), chunked(values, of_keys)
    result = distributed.linear_attention(*lazy, 64, feature_map=feature_map, rng=7)
    assert result.dtype == queries.dtype
    expected = random_features.linear_attention(queries, keys, values, 64, feature_map=feature_map, rng=7)
    np.testing.assert_allclose(result.compute(), expected, rtol=0, atol=10 * near["atol"])


FILTERS = {  # arguments, and the distance within which pixels influence the result
    "bilateral": ({"bandwidth_space": 9.0, "bandwidth_value": 0.5, "radius": 5}, 5),
    "nonlocal_means": ({"bandwidth": 0.3, "patch_radius": 2, "search_radius": 5}, 5 + 2),
    "lark": ({"bandwidth": 30.0, "radius": 3, "analysis_radius": 2}, 3 + 2 + 2),
    "lark, twice": ({"bandwidth": 30.0, "radius": 2, "analysis_radius": 1, "n_iterations": 2}, 2 * (2 + 1 + 2)),
    "lark, order 2, twice": (
        {"bandwidth": 30.0, "radius": 3, "order": 2, "analysis_radius": 1, "n_iterations": 2},
        2 * (3 + 1) + 2,
    ),
}


@pytest.mark.equation(
    "eq:bilateral", "eq:nlm_weights", "eq:steering_kernel", against="`lib.filters` on the whole image"
)
@pytest.mark.parametrize("name", FILTERS)
def test_distributed_filter_equals_filter_of_whole_image(name, monkeypatch):
    arguments, margin = FILTERS[name]
    image, method = np.random.default_rng(1).uniform(size=(67, 71)), name.split(",")[0]
    whole, depths, overlap = getattr(filters, method)(image, **arguments), [], dask.array.Array.map_overlap

    def error(less):
        """The largest one with a margin that is so many pixels less."""

        def noted(array, *given, depth, **options):
            depths.append(depth)
            return overlap(array, *given, depth={axis: n - less for axis, n in depth.items()}, **options)

        monkeypatch.setattr(dask.array.Array, "map_overlap", noted)
        result = getattr(distributed, method)(chunked(image, 31, 29), **arguments)
        return np.abs(result.compute() - whole).max()

    assert error(less=0) < 1e-10 < 1e-9 < error(less=1)
    assert depths == 2 * [{0: margin, 1: margin}]


@pytest.mark.parametrize("image", [(67, 71, 3), (40, 5), (5, 5)], ids=["colour", "narrow", "small"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
def test_distributed_filters_accept_the_images_of_lib(image, dtype):
    image = (255 * np.random.default_rng(2).uniform(size=image)).astype(np.uint8)
    image = image if dtype == np.uint8 else (image / 255).astype(dtype)
    lazy, whole = chunked(image, 17, 23), filters.bilateral(image, 2.0, 0.2)
    result = distributed.bilateral(lazy, 2.0, 0.2)
    assert result.dtype == whole.dtype and result.shape == whole.shape
    np.testing.assert_allclose(result.compute(), whole, atol=1e-10 if whole.dtype == float else 1e-6)


LINE, PAIRS = dask.array.ones(10, chunks=4), dask.array.ones((10, 2), chunks=(4, 2))
BY_FEATURES, EMPTY = PAIRS.rechunk((10, 1)), LINE[:0]
BAD = [
    ("queries", lambda: distributed.nadaraya_watson([0.0, 1.0], LINE, LINE, 1.0)),
    ("values", lambda: distributed.nadaraya_watson(LINE, LINE, np.ones(10), 1.0)),
    ("keys", lambda: distributed.nadaraya_watson(PAIRS, BY_FEATURES, LINE, 1.0)),
    ("queries", lambda: distributed.nadaraya_watson(PAIRS, LINE, LINE, 1.0)),
    ("keys", lambda: distributed.nadaraya_watson(LINE, LINE, LINE.rechunk(5), 1.0)),
    ("queries", lambda: distributed.nadaraya_watson(EMPTY, LINE, LINE, 1.0)),
    ("keys", lambda: distributed.nadaraya_watson(LINE, LINE[LINE > 0], LINE, 1.0)),
    ("values", lambda: distributed.nadaraya_watson(LINE, LINE, LINE * 1j, 1.0)),
    ("bandwidth", lambda: distributed.nadaraya_watson(LINE, LINE, LINE, -1.0)),
    ("kernel", lambda: distributed.nadaraya_watson(LINE, LINE, LINE, 1.0, "round")),
    ("keys", lambda: distributed.leave_one_out_error(LINE[:1], LINE[:1], 1.0)),
    ("queries", lambda: distributed.attention(LINE, LINE, LINE)),
    ("temperature", lambda: distributed.attention(PAIRS, PAIRS, LINE, temperature=0)),
    ("mask", lambda: distributed.attention(PAIRS, PAIRS, LINE, mask=dask.array.ones((10, 10), dtype=bool))),
    ("mask", lambda: distributed.attention(PAIRS, PAIRS, LINE, mask=dask.array.ones((10, 10), chunks=4))),
    ("feature_map", lambda: distributed.linear_attention(PAIRS, PAIRS, LINE, feature_map="dense_exponential")),
    ("frequencies", lambda: distributed.linear_attention(PAIRS, PAIRS, LINE, frequencies=np.ones((5, 3)))),
    ("image", lambda: distributed.bilateral(np.ones((5, 5)), 1.0, 1.0)),
    ("image", lambda: distributed.bilateral(LINE, 1.0, 1.0)),
    ("image", lambda: distributed.nonlocal_means(dask.array.ones((9, 9, 2), chunks=(9, 9, 1)), 1.0)),
    ("bandwidth", lambda: distributed.lark(PAIRS, 0.0)),
    ("radius", lambda: distributed.lark(PAIRS, 1.0, radius=1.5)),
]


@pytest.mark.parametrize("name, call", BAD)
def test_bad_input_is_rejected_before_anything_runs(name, call, monkeypatch):
    monkeypatch.setattr(dask.array.Array, "compute", None)
    with rejected(name):
        call()


def test_lazy_arrays_are_checked_when_computed():
    with rejected("keys"):
        distributed.nadaraya_watson(LINE, LINE * np.nan, LINE, 1.0).compute()
    with rejected("bandwidth"):
        distributed.nadaraya_watson(LINE, LINE, LINE, 1e-200).compute()


def test_missing_dask_is_reported_by_distributed_only():
    code = """
        import sys
        sys.modules["dask"] = None
        import lib.attention, lib.filters, lib.regression
        try:
            import lib.distributed
        except ImportError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("lib.distributed: expected Dask") and "pip install" in done.stdout
    assert done.stderr == ""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, each a process with one thread."""
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "host": "127.0.0.1",
        "memory_limit": LIMIT,
    }
    # Any free port for the dashboard, so that two clusters can run at the same time.
    options["scheduler_kwargs"] = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    cluster = LocalCluster(**options)
    client = Client(cluster, set_as_default=False)
    yield client
    with suppress(TimeoutError):  # on a busy machine, its processes end later
        client.close()
        cluster.close()


def sawtooth(block_id, size, period):
    """A chunk of keys or values, from −1 to 1."""
    start = block_id[0] * size
    return 2 * np.mod(np.arange(start, start + size) / period, 1) - 1


def test_result_is_unchanged_when_a_worker_dies(cluster, tmp_path):
    processes = set(cluster.run(os.getpid).values())
    assert len(processes) == 2 and os.getpid() not in processes

    def dying(chunk, folder):
        """Return the chunk; the first process that computes it ends immediately."""
        try:
            (folder / "died").touch(exist_ok=False)
        except FileExistsError:
            return chunk
        os._exit(1)

    queries, keys = dask.array.linspace(-1, 1, 50, chunks=20), dask.array.linspace(-1, 1, 1000, chunks=100)
    values = dask.array.sin(9 * keys)
    mortal = dask.array.concatenate(
        [values[:500], values[500:600].map_blocks(dying, tmp_path, meta=np.empty(0)), values[600:]]
    )
    result = cluster.compute(distributed.nadaraya_watson(queries, keys, mortal, 0.2)).result()
    assert (tmp_path / "died").exists()
    assert set(cluster.run(os.getpid).values()) != processes
    expected = regression.nadaraya_watson(queries.compute(), keys.compute(), values.compute(), 0.2)
    np.testing.assert_allclose(result, expected, atol=1e-10)


def peak_of_process():
    """The most bytes that this process had in memory; `ru_maxrss` would begin with those of its parent."""
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", STATUS.read_text())[1])


@pytest.mark.long  # half a gigabyte of keys and values
@pytest.mark.skipif(not STATUS.exists(), reason="Linux alone keeps the peak of a process")
def test_distributed_workers_never_hold_all_keys(cluster):
    n_keys, size = 32_000_000, 1_000_000
    chunks = {"chunks": ((size,) * (n_keys // size),), "dtype": float}
    keys, values = (dask.array.map_blocks(partial(sawtooth, size=size, period=n), **chunks) for n in (997.5, 23.7))
    assert keys.nbytes + values.nbytes > 1.5 * LIMIT
    queries = dask.array.from_array(np.array([0.5]))
    estimate = cluster.compute(distributed.nadaraya_watson(queries, keys, values, 0.1)).result()
    assert np.abs(estimate).max() < 1
    assert max(cluster.run(peak_of_process).values()) < LIMIT
