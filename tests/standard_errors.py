"""Comparisons of a random mean with its expected value: they count standard errors, and the ledger listens."""

LISTENERS = []  # functions of (mean, expected, error, allowed)
SIGMAS = 4.5  # a normal mean is farther off once in 150 000 times


def assert_within(mean, expected, error):
    """Assert that a mean over draws, with the standard error that they tell, is near what is expected.

    1e-12 more is allowed for rounding.
    """
    assert abs(mean - expected) < SIGMAS * error + 1e-12, f"{mean} is not {expected}, with error {error}"
    for listener in LISTENERS:
        listener(float(mean), float(expected), float(error), SIGMAS)
