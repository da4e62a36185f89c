"""Compare a random average with its expected value in standard errors; the ledger records these comparisons."""

LISTENERS = []  # functions of (mean, expected, error, allowed)
SIGMAS = 4.5  # a normally distributed average is farther off once in 150 000 times


def assert_within(mean, expected, error):
    """Assert that the average of `draws` is within `SIGMAS` of their standard errors of the expected value.

    The tolerance includes 1e-12 for rounding.
    """
    assert abs(mean - expected) < SIGMAS * error + 1e-12, f"{mean} is not {expected}, standard error {error}"
    for listener in LISTENERS:
        listener(float(mean), float(expected), float(error), SIGMAS)
