"""Caveats as lines of a terminal."""

from __future__ import annotations

import pytest

from whence.cli.printing import caveat_lines
from whence.model.caveat import CaveatGroup, CaveatRef


@pytest.mark.parametrize(("listed", "count", "left"), [(5, 5, 2), (2, 9, 7), (3, 3, 0)])
def test_the_places_that_are_not_listed_are_counted(listed: int, count: int, left: int) -> None:
    places = tuple(CaveatRef("deaths", 1, row, "rate", row + 2, ".", "'.' is not a number") for row in range(listed))
    group = CaveatGroup("'.' is not a number", count, "load", "load deaths@1", "rate", places)
    lines = list(caveat_lines([group]))
    assert [line for line in lines if "more" in line] == ([f"  ... and {left} more"] if left else [])
