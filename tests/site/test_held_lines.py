"""No number is torn from its unit."""

import pytest
from held_lines import TORN


@pytest.mark.parametrize(
    "text, held",
    [
        ("90 % of it", "90~% of it"),
        ("10 000 000 keys", "10~000~000 keys"),
        ("2.4 dB at 3 × 3", "2.4~dB at 3~×~3"),
        ("0.36 σ", "0.36~σ"),
        ("15 min · ●○○", "15 min~· ●○○"),
        ("in 1964 two of 2005 pages", "in 1964 two of 2005 pages"),
        ("7 dBm and 5 1234", "7 dBm and 5 1234"),
    ],
)
def test_no_number_is_torn_from_its_unit(text, held):
    assert TORN.sub("~", text) == held
