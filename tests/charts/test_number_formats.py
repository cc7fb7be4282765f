"""How a number is written where a mark is pointed at: years and ids as names, amounts with commas."""

from __future__ import annotations

import pytest

from whence.charts.number_formats import number_format

PLAIN, GROUPED, LARGE = "~f", ",.6~g", ",.2~f"


@pytest.mark.parametrize(
    ("title", "values", "form"),
    [
        ("Year", [2007, 2014], PLAIN),
        ("model year", [1900.5], PLAIN),
        ("orderId", [123_456_789], PLAIN),
        ("max of year", [2014], PLAIN),
        ("born", [1969, 2007], PLAIN),
        ("born", [1969, None, 2007], PLAIN),
        ("born", [12, 2007], GROUPED),
        ("born", [1969.5, 2007], GROUPED),
        ("price", [], GROUPED),
        ("paid", [1200, 2007], GROUPED),
        ("sum of price", [2007], GROUPED),
        ("distinct of id", [2007], GROUPED),
        ("sum of price", [7_991_378], LARGE),
    ],
)
def test_a_year_has_no_comma_and_an_amount_has(title: str, values: list[float | None], form: str) -> None:
    assert number_format([{"x": value} for value in values], "x", title) == form
