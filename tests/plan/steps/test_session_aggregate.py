"""Groups of session windows: Spark merges spans that overlap, so no row alone says to which session it belongs."""

from __future__ import annotations

from typing import Literal

import pytest

import whence
from tests.oracles.reading import marked

VISITS = [("a", "09:00", 1), ("a", "09:04", 2), ("a", "09:30", 3), ("b", "09:06", 4)]
SESSIONS = (
    "select user, date_format(session_window.start, 'HH:mm') start, count(*) n, sum(v) s from visits "
    "group by user, session_window(timestamp(concat('2024-01-01 ', at)), '5 minutes')"
)


def create_visits(
    ws: whence.Workspace, cells: tuple[tuple[int, str], ...] = (), rows: tuple[int, ...] = ()
) -> whence.Dataset:
    return ws.create(
        "visits",
        VISITS,
        schema="user string, at string, v int",
        cell_caveats=[(row, column, "might be another") for row, column in cells],
        row_caveats=[(row, "might not be there") for row in rows],
    )


@pytest.mark.parametrize("lineage", ["inject", "defer"])
def test_a_session_comes_from_all_its_rows(ws: whence.Workspace, lineage: Literal["inject", "defer"]) -> None:
    create_visits(ws)
    ds = ws.sql(SESSIONS.replace("select", "select session_window,"), name="sessions", lineage=lineage)
    assert ds.lineage.exact
    behind = {
        (row["user"], row["start"]): ds.lineage.backward([rid], to="visits").ids.tolist()
        for rid, row in enumerate(ds.to_arrow().to_pylist())
    }
    assert behind == {("a", "09:00"): [0, 1], ("a", "09:30"): [2], ("b", "09:06"): [3]}


@pytest.mark.parametrize("doubts", [{"cells": ((1, "user"),)}, {"cells": ((3, "at"),)}, {"rows": (1,)}])
def test_rows_that_might_come_or_go_put_every_session_in_doubt(
    ws: whence.Workspace, doubts: dict[str, tuple[tuple[int, str], ...]]
) -> None:
    """With `b` in row 1, its session begins two minutes earlier; without row 1, the first one of `a` is shorter."""
    create_visits(ws, **doubts)  # type: ignore[arg-type]
    ds = ws.sql(SESSIONS, name="sessions")
    assert set(map(frozenset, marked(ds).values())) == {frozenset({"_row", "user", "start", "n", "s"})}
    assert ds.caveats.row_set
    assert all(ds.caveats.list(row, "start") for row in range(ds.count))


def test_a_value_in_doubt_reaches_its_own_session_only(ws: whence.Workspace) -> None:
    create_visits(ws, cells=((1, "v"),))
    ds = ws.sql(SESSIONS, name="sessions")
    assert marked(ds) == {("a", "09:00", 2, 3): {"s"}, ("a", "09:30", 1, 3): set(), ("b", "09:06", 1, 4): set()}
    assert not ds.caveats.row_set


def test_a_row_that_a_doubtful_filter_removed_merges_no_sessions(ws: whence.Workspace) -> None:
    ws.create(
        "visits",
        [("a", "09:00", 1), ("a", "09:04", 0), ("a", "09:08", 2)],
        schema="user string, at string, v int",
        cell_caveats=[(1, "v", "might be more")],
    )
    ds = ws.sql(SESSIONS.replace("group by", "where v > 0 group by"), name="sessions")
    assert [(row["start"], row["n"]) for row in ds.to_arrow().to_pylist()] == [("09:00", 1), ("09:08", 1)]
    assert ds.caveats.row_set
