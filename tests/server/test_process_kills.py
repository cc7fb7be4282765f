"""Kills of Java and of workers while cells run: the server goes on, cells run again, and their results are right.

`WHENCE_PROCESS_KILLS` says how many. Kills of the server itself are in `test_kills.py`.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow as pa
import pytest

import whence
from tests.server.serving import Served, served
from whence.client import Client
from whence.store.doctor import doctor
from whence.store.store import Store
from whence.wire.notebooks import NotebookView

KILLS = int(os.environ.get("WHENCE_PROCESS_KILLS", 200))
ROWS = 20_000
GROUPS = 10
BOOK = "runs"
CELLS = {
    "sums": ("sql", "select k, sum(x) + {run} as s from t group by k order by k"),
    "frame": (
        "python",
        "frame = ws['t'].to_pandas().groupby('k', as_index=False).x.sum()\n"
        "ws['frame'] = frame.assign(x=frame.x + {run})\n",
    ),
    "udf": (
        "python",
        "from pyspark.sql import functions as F\n"
        "sums = ws['sums'].df\n"
        "ws['udf'] = sums.orderBy('k').select('k', F.udf(lambda x: x + {run}, 'long')('s').alias('z'))\n",
    ),
}


def values(name: str, run: int) -> dict[str, object]:
    kind, text = CELLS[name]
    source: dict[str, object] = {"source": text.format(run=run)}
    return {**source, "name": name} if kind == "sql" else source


def expected(run: int) -> dict[str, list[int]]:
    """What the last column of each dataset holds, by plain Python."""
    sums = [sum(range(group, ROWS, GROUPS)) + run for group in range(GROUPS)]
    return {"sums": sums, "frame": sums, "udf": [each + run for each in sums]}


def last_columns(client: Client) -> dict[str, list[object]]:
    return {name: [row[-1] for row in client.read_page(name).rows] for name in CELLS}


class KilledProcesses:
    """A server whose Java and workers are killed while it runs three cells, again and again."""

    def __init__(self, server: Served, seed: int) -> None:
        self._server, self._client, self._dice = server, server.client, random.Random(seed)
        self._client.make_notebook(name=BOOK)
        added = [self._client.add_cell(BOOK, kind=kind, values=values(name, 0)) for name, (kind, _) in CELLS.items()]
        self._cells = {name: each.cell.id for name, each in zip(CELLS, added, strict=True) if each.cell is not None}
        self._took = 1.0
        self._finish(0)

    def round(self, run: int, kind: str) -> str:
        """Change all cells, kill a process of this kind while they run, let them end, and check; says what it hit."""
        begun = time.monotonic()
        for name, cell in self._cells.items():
            self._client.change_cell(BOOK, cell, values=values(name, run))
        time.sleep(self._dice.random() * self._took)
        hit = self._kill(kind)
        self._client.wait(BOOK, timeout=300)
        if hit == "nothing":
            self._took = time.monotonic() - begun
        self._finish(run)
        return hit

    def _kill(self, kind: str) -> str:
        """Kill one process of a kind; there may be none of it at the moment."""
        found = [process for each, process in self._server.processes() if each == kind]
        if not found:
            return "nothing"
        try:
            self._dice.choice(found).kill()
        except psutil.NoSuchProcess:
            return "nothing"
        return kind

    def _finish(self, run: int) -> None:
        """Run what failed once more, without a kill: then everything is right."""
        view = self._client.wait(BOOK, timeout=300)
        if _statuses(view) != {"ready"}:
            self._client.run_cells(BOOK)
            view = self._client.wait(BOOK, timeout=300)
        assert _statuses(view) == {"ready"}, [(cell.status, cell.error) for cell in view.cells]
        assert last_columns(self._client) == expected(run)


def _statuses(view: NotebookView) -> set[str]:
    return {cell.status for cell in view.cells}


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.timeout(7200)  # a kill takes some fifteen seconds with what must start anew
def test_kills_of_java_and_of_workers_lose_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    path, temporary = tmp_path / "w.whence", tmp_path / "temporary"
    temporary.mkdir()
    with whence.open(path) as ws:
        ws.create("t", pa.table({"k": [n % GROUPS for n in range(ROWS)], "x": list(range(ROWS))}))
    with served(path, temporary) as server:
        killed = KilledProcesses(server, 1)
        # After a kill of Java the next round starts Spark, which takes its time: one in four.
        kinds = ["java" if run % 4 == 0 else "workers" for run in range(1, KILLS + 1)]
        hits = Counter(killed.round(run, kind) for run, kind in enumerate(kinds, 1))
    record_property("kills", dict(hits))
    print("kills:", dict(hits))  # noqa: T201 - a figure for the report of the run
    assert hits["java"] > 0
    assert hits["workers"] > 0
    store = Store.open(path)
    assert doctor(store) == []
    store.close()
