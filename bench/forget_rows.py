"""What it costs to forget one person, against building the workspace anew from a file without them."""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context

ROWS = 500_000
GONE = 5
QUERIES = {
    "old": "select id, name, age from people where age > 60",
    "cities": "select city, count(*) as n, avg(age) as age from people group by city",
    "largest": "select city, n from cities order by n desc, city limit 10",
}


def people() -> pa.Table:
    """People of a thousand cities."""
    random = np.random.default_rng(3)
    return pa.table(
        {
            "id": np.arange(ROWS),
            "name": [f"name {number:07d}" for number in range(ROWS)],
            "city": [f"city {place}" for place in random.integers(0, 1_000, ROWS)],
            "age": random.integers(0, 100, ROWS),
            "note": [f"note {number}" for number in random.integers(0, ROWS, ROWS)],
        }
    )


@cache
def _file(context: Context) -> Path:
    path = context.folder / "people.csv"
    pyarrow.csv.write_csv(people(), path)
    return path


def _fill(workspace: whence.Workspace, path: Path) -> None:
    workspace.load(path, name="people")
    for name, text in QUERIES.items():
        workspace.sql(text, name=name)


def _forget(context: Context) -> Action:
    workspace = context.closing.enter_context(whence.open(context.folder / "forget.whence"))
    _fill(workspace, _file(context))
    ids = count(GONE)

    def act() -> int:
        certificate = workspace.forget("people", where=f"id = {next(ids)}")
        assert len(certificate.made_again) == len(QUERIES), certificate.deleted
        return workspace["people"].count

    return act


def _rebuild(context: Context) -> Action:
    table = people()
    path, numbers = context.folder / "fewer.csv", count()
    pyarrow.csv.write_csv(table.filter(pa.array(np.arange(ROWS) != GONE)), path)

    def act() -> int:
        with whence.open(context.folder / f"again{next(numbers)}.whence") as workspace:
            _fill(workspace, path)
            return workspace["people"].count

    return act


def _same_rows(answers: Answers) -> None:
    assert answers["forget"] == answers["rebuild"] == ROWS - 1, answers


BENCHMARK = Benchmark(
    name="forget-rows",
    question=f"How long does it take to forget one of {ROWS:,} people, with three queries made from them?",
    baseline="rebuild",
    contenders={"rebuild": _rebuild, "forget": _forget},
    checks=[_same_rows],
    warmups=1,
)
