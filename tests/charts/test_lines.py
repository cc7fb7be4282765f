"""Lines: a mark that no line leads to is seen as a point, also where a selection has left it alone."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tests.charts.test_compile import compiled
from whence.charts.overlay import overlay

LINE: dict[str, object] = {"aes": {"x": "n", "y": "amount", "color": "g"}, "stat": "mean", "geom": "line"}
MARKS = pa.table({"color": ["a", "a", "a", "b", "b"], "x": [1, 2, 3, 1, 2], "y": [1.0, 2.0, 3.0, 4.0, 5.0]})


@pytest.mark.parametrize(
    ("selected", "alone"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0], []),
        ([None, 2.5, None, 4.0, 5.0], [1]),
        ([1.0, None, 3.0, None, None], []),  # a line goes from the first to the third
        ([None, None, 3.0, 4.0, None], [2, 3]),
    ],
)
def test_a_selected_mark_without_selected_neighbours_is_seen(selected: list[float | None], alone: list[int]) -> None:
    rows = overlay(compiled(LINE), MARKS, "y", {"y": selected}, 100)["rows"]
    assert [row["_mark"] for row in rows if row["_alone"]] == alone
    assert [row["_mark"] for row in rows] == [mark for mark, value in enumerate(selected) if value is not None]
