"""A pytest plugin that marks the further cases of a slow check with `variant`.

Many figures and pages fulfil one contract. Of the cases of a test in the browser, and of one marked `sampled`,
`make test` runs every third, beginning at one that depends on the test's name, so that different tests sample
different figures. `make test-variants` runs the others, and what a test file marks so: in each pull request,
beside `make test`, and before a release.
"""

import zlib
from collections import defaultdict

import pytest

SHARE = 3


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items):
    cases_of = defaultdict(list)
    for item in items:
        if is_sampled(item):
            cases_of[item.path, item.originalname].append(item)
    for (_, test), cases in cases_of.items():
        for case in further(cases, test):
            case.add_marker("variant")


def is_sampled(item):
    is_repeated = "browser" in getattr(item, "fixturenames", ()) or item.get_closest_marker("sampled")
    return is_repeated and not any(item.get_closest_marker(mark) for mark in ("long", "variant"))


def further(cases, test):
    """Return the cases that `make test` leaves to `make test-variants`; of two cases, it runs both."""
    first = zlib.crc32(test.encode()) % SHARE
    return [case for i, case in enumerate(cases) if i % SHARE != first] if len(cases) >= SHARE else []
