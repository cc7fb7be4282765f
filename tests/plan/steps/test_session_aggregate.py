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


DISTINCT_SESSIONS = (
    "select user, date_format(w.start, 'HH:mm') start, date_format(w.end, 'HH:mm') end from "
    "(select distinct user, session_window(timestamp(concat('2024-01-01 ', at)), '5 minutes') w from visits)"
)
Session = tuple[str, str, str]


def sessions_of(visits: list[tuple[str, str]]) -> set[Session]:
    """The sessions in plain Python: visits of a user less than five minutes apart are one."""

    def clock(minutes: int) -> str:
        return f"{minutes // 60:02}:{minutes % 60:02}"

    found = set()
    for user in {user for user, _ in visits}:
        times = sorted(int(at[:2]) * 60 + int(at[3:]) for each, at in visits if each == user)
        starts = [n for n, time in enumerate(times) if not n or time - times[n - 1] >= 5]
        for first, after in zip(starts, [*starts[1:], len(times)], strict=True):
            found.add((user, clock(times[first]), clock(times[after - 1] + 5)))
    return found


def distinct_sessions(ws: whence.Workspace, form: str) -> whence.Dataset:
    if form == "sql":
        return ws.sql(DISTINCT_SESSIONS, name="sessions")
    spans = ws["visits"].df.selectExpr("user", "session_window(timestamp(concat('2024-01-01 ', at)), '5 minutes') as w")
    shown = spans.distinct().selectExpr(
        "user", "date_format(w.start, 'HH:mm') as start", "date_format(w.end, 'HH:mm') as end"
    )
    return ws.dataset(shown, name="sessions")


@pytest.mark.parametrize("form", ["sql", "frame"])
def test_distinct_sessions_are_in_doubt_where_some_world_has_others(ws: whence.Workspace, form: str) -> None:
    create_visits(ws, rows=(1,))
    ds = distinct_sessions(ws, form)
    given = sessions_of([(user, at) for user, at, _ in VISITS])
    assert {tuple(row.values()) for row in ds.to_arrow().to_pylist()} == given
    other = sessions_of([(user, at) for n, (user, at, _) in enumerate(VISITS) if n != 1])
    marks = marked(ds)
    assert given - other == {("a", "09:00", "09:09")}
    assert all("_row" in marks[session] for session in given - other)
    assert ds.caveats.row_set  # the other world has a session from 09:00 to 09:05


@pytest.mark.parametrize("form", ["sql", "frame"])
def test_distinct_sessions_come_from_all_rows_that_were_merged(ws: whence.Workspace, form: str) -> None:
    create_visits(ws)
    ds = distinct_sessions(ws, form)
    assert ds.lineage.exact
    rows = [tuple(row.values()) for row in ds.to_arrow().to_pylist()]
    behind = {row[:2]: ds.lineage.backward([n], to="visits").ids.tolist() for n, row in enumerate(rows)}
    assert behind == {("a", "09:00"): [0, 1], ("a", "09:30"): [2], ("b", "09:06"): [3]}
    assert not any(marked(ds).values())
