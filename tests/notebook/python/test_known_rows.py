"""Frames of a Python cell that say which rows of a dataset they hold."""

from __future__ import annotations

import pandas as pd
import pytest

from whence.notebook.workers.inside.known_rows import known_rows
from whence.notebook.workers.inside.mimebundle import mimebundle


def frame(name: str | None = "prices@2 row", **columns: object) -> pd.DataFrame:
    given = columns or {"part": ["A", "B", "C"], "price": [1.5, None, 4.0]}
    return pd.DataFrame(given, index=pd.Index([0, 1, 2], name=name))


def test_a_frame_that_keeps_its_index_names_its_rows() -> None:
    kept = frame().sort_values("price", ascending=False).assign(n=[1, 2, 3], when=pd.Timestamp("2026-01-02"))
    assert known_rows(kept) == {
        "dataset": "prices@2",
        "count": 3,
        "columns": [
            {"name": "part", "type": "string"},
            {"name": "price", "type": "double"},
            {"name": "n", "type": "bigint"},
            {"name": "when", "type": "string"},
        ],
        "rids": [2, 0, 1],
        "rows": [
            ["C", 4.0, 1, "2026-01-02 00:00:00"],
            ["A", 1.5, 2, "2026-01-02 00:00:00"],
            ["B", None, 3, "2026-01-02 00:00:00"],
        ],
    }
    assert "application/vnd.whence.rows+json" in mimebundle(kept)


@pytest.mark.parametrize(
    "shown",
    [
        frame(None),
        frame("row"),
        frame().reset_index(),
        frame().groupby("part").sum(),
        frame().set_axis(["same", "same"], axis=1),
        frame()["price"],
        "prices@2 row",
    ],
    ids=["no name", "another name", "no index", "grouped", "two columns of one name", "a column", "a text"],
)
def test_anything_else_is_shown_as_it_is(shown: object) -> None:
    assert known_rows(shown) is None


def test_only_the_first_rows_are_sent() -> None:
    long = pd.DataFrame({"n": range(500)}, index=pd.RangeIndex(500, name="t@1 row"))
    found = known_rows(long)
    assert found is not None
    assert (found["count"], found["rids"]) == (500, list(range(20)))
