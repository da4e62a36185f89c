"""A pytest plugin for tests that repeat a chapter's result, and fail when one of its hypotheses is dropped.

    @pytest.mark.equation(
        "eq:weights",
        says="Far from the keys the nearest one gets nearly all the weight, if it is unique.",
        given={"keys": [1, 3, 4]},
        without={"if it is unique": {"keys": [1, 4, 4]}},
    )
    def test_far_query_gives_all_weight_to_nearest_key(keys):
        assert nadaraya_watson_weights([100], keys, 1.0).max() > 0.99

`says` is the sentence, word for word, and `given` maps arguments of the test to values for which it holds.
`without` maps the words of each hypothesis in the sentence to arguments that violate it. The test runs once as
given, and once without each hypothesis, where an assertion must fail. Otherwise the hypothesis is idle, or the
test doesn't check the sentence.
"""

import pytest


def pytest_generate_tests(metafunc):
    """Parametrize a test with its `given` arguments, and with those that violate each hypothesis."""
    marks = [mark.kwargs for mark in metafunc.definition.iter_markers("equation")]
    given = {name: value for mark in marks for name, value in mark.get("given", {}).items()}
    violations = {words: case for mark in marks for words, case in mark.get("without", {}).items()}
    if given:
        cases = [pytest.param(*given.values(), id="as given")]
        cases += [violation(given | case, words) for words, case in violations.items()]
        metafunc.parametrize(list(given), cases)


def violation(case, words):
    must_fail = pytest.mark.xfail(strict=True, raises=AssertionError)
    return pytest.param(*case.values(), id=f"without {words}", marks=must_fail)
