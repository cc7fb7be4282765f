"""Explanations of real and study data: the predicate expected, written down before the run, beside the one found.

The data is not part of the source: WHENCE_SHARED_DATA names a folder that holds dbwipes_study, fec2016_expenses,
sensor_singlehop_labelled and nycflights13, each with the files their publishers name.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.stddev import StdDev
from whence.explain.aggregates.sum import Sum
from whence.explain.choose_attributes import Candidate, choose_attributes
from whence.explain.complaint import Complaint
from whence.explain.find import find
from whence.explain.problem import Problem
from whence.explain.request import Request
from whence.model.errors import UserError

SHOWN = 4


@dataclass(frozen=True)
class Story:
    """A table, how it is grouped and aggregated, the groups that look too high, and what ought to come out."""

    name: str
    expected: str
    table: Callable[[Path], pa.Table]
    key: str
    measure: str
    aggregate: Aggregate
    outliers: Callable[[pa.Table], Sequence[object]]
    ignored: tuple[str, ...] = ()
    holdouts: int = 60


def _csv(path: Path) -> pa.Table:
    return csv.read_csv(path)


def _expenses(folder: Path) -> pa.Table:
    lines = (folder / "fec2016_expenses" / "P00000001D-ALL.csv").read_text(encoding="latin-1").splitlines()
    text = "\n".join([lines[0], *(line.rstrip(",") for line in lines[1:])])
    table = csv.read_csv(pa.py_buffer(text.encode()), convert_options=csv.ConvertOptions(strings_can_be_null=True))
    return table.filter(pc.is_null(table["memo_cd"]))


def _of_candidate(name: str) -> Callable[[Path], pa.Table]:
    def read(folder: Path) -> pa.Table:
        table = _expenses(folder)
        return table.filter(pc.match_substring(table["cand_nm"], name))

    return read


def _largest(count: int, key: str, measure: str) -> Callable[[pa.Table], list[object]]:
    def pick(table: pa.Table) -> list[object]:
        sums = table.group_by(key).aggregate([(measure, "sum")]).sort_by([(f"{measure}_sum", "descending")])
        names: list[object] = sums[key].to_pylist()[:count]
        return names

    return pick


def _sensors(folder: Path) -> pa.Table:
    table = _csv(folder / "sensor_singlehop_labelled" / "data.csv")
    window = pc.floor(pc.divide(pc.cast(table["reading"], pa.float64()), 200.0))
    return table.append_column("window", pc.cast(window, pa.int64()))


def _flights(folder: Path) -> pa.Table:
    table = pq.read_table(folder / "nycflights13" / "flights.parquet")
    numbers = pc.add(pc.multiply(table["month"], 100), table["day"])
    cancelled = pc.cast(pc.is_null(table["dep_time"]), pa.float64())
    return table.append_column("date", numbers).append_column("cancelled", cancelled)


def _values(*values: object) -> Callable[[pa.Table], Sequence[object]]:
    return lambda _: values


def _study(file: str) -> Callable[[Path], pa.Table]:
    return lambda folder: csv.read_csv(folder / "dbwipes_study" / file)


_LATE = "hour in the afternoon and evening"
_OF_SENSORS = ("reading", "label")
_OF_EXPENSES = ("memo_cd", "memo_text", "tran_id")
_OF_FLIGHTS = (
    "year", "month", "day", "date", "dep_time", "dep_delay", "arr_time", "arr_delay", "air_time", "cancelled",
    "time_hour",
)  # fmt: skip
_DAY, _AMOUNT = "disb_dt", "disb_amt"

STORIES = (
    Story("T1", "state in {CA, MI}", _study("hard1.csv"), "day", "amt", Sum(), _values(5, 6, 7, 8, 9)),
    Story("T2", "state in {MA, WA}", _study("hard2.csv"), "day", "amt", Sum(), _values(3, 4, 5, 6)),
    Story("T3", "state MA, then {MA, WA}", _study("hard2.csv"), "day", "amt", Avg(), _values(3, 4, 5, 6)),
    Story(
        "Clinton's large days",
        "disb_desc is PAYROLL",
        _of_candidate("Clinton"),
        _DAY,
        _AMOUNT,
        Sum(),
        _largest(4, _DAY, _AMOUNT),
        _OF_EXPENSES,
    ),
    Story(
        "Sanders's large days",
        "recipient_nm is REVOLUTION MESSAGING",
        _of_candidate("Sanders"),
        _DAY,
        _AMOUNT,
        Sum(),
        _largest(3, _DAY, _AMOUNT),
        _OF_EXPENSES,
    ),
    Story(
        "sensor window 11",
        "mote_id is 1, at unusual temperatures",
        _sensors,
        "window",
        "humidity",
        StdDev(),
        _values(11),
        _OF_SENSORS,
    ),
    Story("delays of 8 March", _LATE, _flights, "date", "dep_delay", Avg(), _values(308), _OF_FLIGHTS),
    Story("delays of 1 July", _LATE, _flights, "date", "dep_delay", Avg(), _values(701), _OF_FLIGHTS),
    Story(
        "cancellations of 8 February",
        "hour from noon on, when the storm came",
        _flights,
        "date",
        "cancelled",
        Avg(),
        _values(208),
        _OF_FLIGHTS,
    ),
    Story("delays of EV", "hour late in the day", _flights, "carrier", "dep_delay", Avg(), _values("EV"), _OF_FLIGHTS),
)


def problem_of(story: Story, table: pa.Table) -> Problem:
    """The question, with ordinary groups as hold-outs, up to so many."""
    odd = list(story.outliers(table))
    others = [value for value in _ordinary(story, table) if value not in odd]
    marked = [*odd, *others[:: max(1, len(others) // story.holdouts)][: story.holdouts]]
    places = pc.index_in(table[story.key], pa.array(marked, table[story.key].type))
    owner = np.asarray(pc.fill_null(places, -1).to_numpy())
    order = np.argsort(owner, kind="stable")
    order = order[owner[order] >= 0]
    rows = table.take(pa.array(order))
    values = np.asarray(pc.cast(rows[story.measure], pa.float64()).to_numpy())
    hidden = {story.key, story.measure, *story.ignored}
    columns = [Candidate(name, _plain(rows[name])) for name in rows.column_names if name not in hidden]
    chosen = choose_attributes(columns, owner[order], len(marked), is_wish=False)
    complaints = (Complaint("high"),) * len(odd)
    return Problem(owner[order], (values,), story.aggregate, complaints, len(marked) - len(odd), chosen.attributes)


def _ordinary(story: Story, table: pa.Table) -> list[object]:
    """Groups whose sum or mean is in the middle half: what a user would call fine."""
    how = "sum" if isinstance(story.aggregate, Sum) else "mean"
    values = table.group_by(story.key).aggregate([(story.measure, how)]).drop_null()
    numbers = np.asarray(values[f"{story.measure}_{how}"].to_numpy())
    low, high = np.quantile(numbers, [0.25, 0.75])
    return [key for key, number in zip(values[story.key].to_pylist(), numbers, strict=True) if low <= number <= high]


def _plain(column: pa.ChunkedArray) -> pa.Array:
    whole = column.combine_chunks()
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


def run(repeats: int) -> dict[str, object]:
    """One row for each answer shown; `repeats` is not used."""
    folder = os.environ.get("WHENCE_SHARED_DATA")
    if folder is None:
        raise UserError("The stories need their data.", "Set WHENCE_SHARED_DATA to the folder that holds it.")
    return {
        "question": "What was expected, and what was found",
        "rows": [row for story in STORIES for row in _tell(story, Path(folder))],
    }


def _tell(story: Story, folder: Path) -> list[dict[str, object]]:
    problem = problem_of(story, story.table(folder))
    first: list[float] = []
    started, spent = time.monotonic(), time.process_time()

    def hear(_: object) -> bool:
        first.append(time.monotonic() - started)
        return False

    found = find(problem, Request(partial=hear))
    cpu = time.process_time() - spent
    head = {"story": story.name, "rows": problem.rows, "cpu s": cpu, "first s": first[0] if first else None}
    if not found.items:
        return [{**head, "expected": story.expected, "found": found.reason, "c": "", "before": None, "after": None}]
    return [
        {
            **head,
            "expected": story.expected,
            "found": answer.predicate.sql,
            "c": f"{answer.c_range[0]:.2f}-{answer.c_range[1]:.2f}",
            "before": float(found.before[: problem.outliers].mean()),
            "after": float(answer.after[: problem.outliers].mean()),
        }
        for answer in found.items[:SHOWN]
    ]
