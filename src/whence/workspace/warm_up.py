"""Warms Spark up: runs typical first queries on a few rows, so that Spark loads and compiles what users will need.

The queries run in a temporary workspace, which is removed afterwards.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from whence.engine.profile import Profile
from whence.store.layout import Layout
from whence.workspace.open import open as open_workspace
from whence.workspace.warm_setting import is_warm_up_on
from whence.workspace.workspace import Workspace

SHAPES = (
    "select id, name, price * 2 as twice from parts where price > 2",
    "select kind, count(*) as n, sum(price) as total from parts group by kind order by kind",
    "select p.name, k.title from parts p join kinds k on p.kind = k.kind order by p.id limit 5",
    "select kind from parts union select kind from kinds",
    "select id, row_number() over (partition by kind order by price) as place from parts",
    "select name, case when price is null then 'none' else upper(name) end as word from parts where kind in ('a', 'b')",
)

LARGE_SHAPES = (
    "select id, price * 2 as twice from many where price > 2",
    "select kind, count(*) as n, sum(price) as total from many group by kind order by kind",
    "select m.id, k.title from many m join kinds k on m.kind = k.kind",
)
"""Queries over so many rows that Spark compiles code for them, and writes the rows itself."""

_LARGE = 100_001


def warm_up(
    folder: Path,
    profile: Profile,
    settings: Mapping[str, str] | None = None,
    is_over: Callable[[], bool] = bool,
    *,
    also_large: bool = False,
) -> None:
    """Run the queries in a temporary workspace and remove it. Stop early once `is_over` returns True."""
    try:
        with open_workspace(folder, profile=profile, settings=settings) as ws:
            _create_tables(ws)
            _run(ws, SHAPES, "parts", is_over)
            if also_large:
                _create_large_table(ws)
                _run(ws, LARGE_SHAPES, "many", is_over)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(ws: Workspace, shapes: Sequence[str], source: str, is_over: Callable[[], bool]) -> None:
    for number, text in enumerate(shapes):
        if is_over():
            return
        made = ws.sql(text, name=f"shape_of_{source}_{number}")
        made.lineage.backward([0], to=source).to_arrow()
        made.caveats.marks()


def _create_tables(ws: Workspace) -> None:
    kinds = [("a", "bolt"), ("b", "nut"), ("c", "washer")]
    parts = [(row, "abc"[row % 3], f"part {row}", None if row % 7 == 0 else row / 4) for row in range(60)]
    ws.create("kinds", kinds, schema="kind string, title string")
    ws.create(
        "parts", parts, schema="id int, kind string, name string, price double", cell_caveats=[(1, "price", "smudged")]
    )


def _create_large_table(ws: Workspace) -> None:
    ids = range(_LARGE)
    many = {"id": ids, "kind": ["abc"[row % 3] for row in ids], "price": [row / 4 for row in ids]}
    ws.create("many", pa.table(many))


def start_warm_up(workspace: Workspace, profile: Profile) -> threading.Thread | None:
    """Start Spark for a workspace on a server and warm it up, in a thread of its own. Return the thread."""
    if not is_warm_up_on():
        return None
    thread = threading.Thread(target=_warm, args=(workspace, profile), name="whence-warm-up", daemon=True)
    thread.start()
    return thread


def _warm(workspace: Workspace, profile: Profile) -> None:
    try:
        # Between two queries of the warm-up none of its own jobs runs: an active job is one of a user, who goes first.
        jobs = workspace.spark.sparkContext.statusTracker()
        folder = Layout(workspace.path).temporary / "warm-up.whence"
        warm_up(folder, profile, is_over=lambda: bool(jobs.getActiveJobsIds()))
    except Exception:  # the server may stop at any moment, and whoever needs Spark is told what is wrong with it
        logging.getLogger(__name__).debug("Spark was not warmed.", exc_info=True)
