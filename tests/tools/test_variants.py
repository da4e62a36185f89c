"""The sample of `make test`: of each check of many figures or pages, every third case."""

import pytest

from tests.variants import further


@pytest.mark.parametrize("test", ["test_reset", "test_drag", "test_url"])
def test_a_third_of_the_cases_remains(test):
    cases = list(range(22))
    remaining = [case for case in cases if case not in further(cases, test)]
    assert remaining == list(range(remaining[0], 22, 3)) and remaining[0] < 3


def test_different_tests_sample_different_cases():
    assert len({tuple(further("abc", f"test_{number}")) for number in range(20)}) == 3


def test_two_cases_both_remain():
    assert further(["light", "dark"], "test_theme") == []
