"""What a workspace answers to the same questions, on one machine or on a cluster, in a form that can be compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import whence
from whence.explain import fetch as fetching
from whence.loading import load as loading

ROWS = 120_000
"""More rows than whence collects, so that Spark's writer or its tasks write them."""

QUERIES = {
    "projection": "select id, k, x + 1 as y from events where id % 3 = 0",
    "join": "select e.id, e.x, l.label from events e join labels l on e.k = l.k",
    "outer": "select e.id, l.label from events e left join labels l on e.k = l.k and e.id % 2 = 0",
    "groups": "select k, sum(x) as s, count(*) as n from events group by k",
    "ghosts": "select id, x from events where x > 50",
    "nested": "select id, array(k, x) as pair from events",
    "window": "select id, k, lag(x) over (partition by k order by id) as before from events where id < 3000",
    "caveat": "select id, caveat_if(k, k > 5, 'large') as k from events",
}
BY_SPARK = ("projection", "join")
"""Queries whose rows Spark's own writer stores."""


def load_tables(ws: whence.Workspace, folder: Path) -> dict[str, Any]:
    """Load a file with doubtful cells on the driver, and a folder of files in tasks."""
    events = ws.load(_write_events(folder / "events.csv", 0, ROWS), name="events")
    ws.create(
        "labels", [(k, f"label {k}") for k in range(0, 8, 2)], schema="k bigint, label string", row_caveats=[(1, "why")]
    )
    parts = folder / "parts"
    parts.mkdir()
    for number in range(3):
        _write_events(parts / f"{number}.csv", 1000 * number, 1000)
    with mock.patch.object(loading, "SPREAD_BYTES", 0):
        spread = ws.load(parts, name="spread")
    return {"events": answers_of(events), "spread": answers_of(spread)}


def _write_events(path: Path, first: int, count: int) -> Path:
    lines = (f"{n},{n % 7},{'oops' if n % 997 == 5 else n % 101}\n" for n in range(first, first + count))
    path.write_text("id,k,x\n" + "".join(lines))
    return path


def ask(ws: whence.Workspace, folder: Path) -> dict[str, Any]:
    """Return what a workspace answers: tables, queries, a chart, explanations, a pipeline."""
    return {
        **load_tables(ws, folder),
        **{name: answers_of(ws.sql(text, name=name)) for name, text in QUERIES.items()},
        **_chart(ws),
        **_explanations(ws),
        **_pipeline(ws),
    }


def answers_of(made: whence.Dataset) -> dict[str, Any]:
    """Return rows and marks, and the lineage of some rows. Rows may come in another order on each run."""
    rows, marks = _tuples(made.to_arrow()), _tuples(made.caveats.marks())
    order = sorted(range(len(rows)), key=lambda rid: repr(rows[rid]))
    digest = hashlib.sha256("\n".join(f"{rows[rid]} {marks[rid]}" for rid in order).encode()).hexdigest()
    return {
        "rows": len(rows),
        "digest": digest,
        "marked": sum(map(any, marks)),
        "exact": made.lineage.exact,
        "row_set": made.caveats.row_set,
        "some": [[repr(rows[rid]), _sources(made, rid)] for rid in order[:: max(1, len(order) // 15)]],
    }


def _tuples(table: Any) -> list[tuple[object, ...]]:  # noqa: ANN401 - an Arrow table
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _sources(made: whence.Dataset, rid: int) -> dict[str, Any]:
    """Return the count and the sum of squares of the rows behind a row, for each parent."""
    parents = {parent.name for parent in made.parents()}
    found = {name: made.lineage.backward([rid], to=name).ids for name in sorted(parents)}
    return {name: [len(ids), int(np.square(ids).sum())] for name, ids in found.items()}


def _chart(ws: whence.Workspace) -> dict[str, Any]:
    by_k = ws["events"].chart({"aes": {"x": "k", "y": "x"}, "stat": "sum", "geom": "bar"}, name="by_k")
    counts = ws["events"].chart({"aes": {"x": "x"}, "stat": {"type": "bin", "bins": 4}, "geom": "bar"}, name="bins")
    brushed = whence.link([by_k, counts]).brush(by_k, x=[3])[counts]
    return {
        "chart": answers_of(by_k.marks),
        "bins": answers_of(counts.marks),
        "brush": sorted(map(repr, _tuples(brushed))),
    }


def _explanations(ws: whence.Workspace) -> dict[str, Any]:
    rows = [
        (
            day,
            ("Boston", "Austin", "Denver")[n % 3],
            9 + n % 9,
            10.0 + n % 5 + (90 if day > 2 and n % 3 == 0 and n % 9 > 3 else 0),
        )
        for day in range(5)
        for n in range(200)
    ]
    ws.create("sales", rows, schema="day int, shop string, hour int, price double")
    daily = ws.sql("select day, avg(price) as mean from sales group by day order by day", name="daily")
    found = {}
    for name, most in (("explained here", fetching.IN_MEMORY), ("explained in Spark", 0)):
        with mock.patch.object(fetching, "IN_MEMORY", most):
            answers = whence.explain(daily, "mean", outliers=[3, 4], holdouts=[0, 1, 2], direction="high")
        found[name] = [answers[0].predicate.sql, round(answers[0].influence, 6), answers[0].rows.ids.tolist()]
    return found


def _pipeline(ws: whence.Workspace) -> dict[str, Any]:
    rows: Sequence[tuple[object, ...]] = [("a", 1, 2.0), ("b", None, 3.0), (" a", 3, None), ("a", 1, 2.0)]
    p = whence.Pipeline(ws.create("raw", rows, schema="k string, n int, x double"), name="ready")
    p.transform(["k"], "trim({})").impute({"n": "mean"}, by=["k"]).filter("x > 0").one_hot(["k"])
    q, made = p.provenance, p.result
    cells = [(row, name) for row in range(made.count) for name in made.columns]
    why = sorted(repr((_tuples(made.to_arrow())[row], name, q.why(row, name))) for row, name in cells)
    return {"pipeline": answers_of(made), "why": why, "why missing": str(q.why_missing(2))}


def as_json(answers: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return the answers as they come back from a file: tuples are lists there."""
    return json.loads(json.dumps(answers))
