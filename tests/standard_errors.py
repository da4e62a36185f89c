"""Comparisons of a random mean with its expected value: they count standard errors, and the ledger listens."""

LISTENERS = []  # functions of (mean, expected, error, allowed)
SIGMAS = 4.5  # a normal mean is farther off once in 150 000 times


def assert_within(mean, expected, error, allowed=SIGMAS):
    """Assert that a mean over random draws is at most so many standard errors from what is expected.

    Parameters
    ----------
    mean, expected : float
    error : float ≥ 0
        The standard error of the mean, estimated from the draws.
    allowed : float
        How many standard errors are allowed; 1e-12 more is allowed for rounding.
    """
    assert abs(mean - expected) < allowed * error + 1e-12, f"{mean} is not {expected}, with error {error}"
    for listener in LISTENERS:
        listener(float(mean), float(expected), float(error), float(allowed))
