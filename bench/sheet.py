"""How long a keystroke in a sheet takes until the new page is there, on a long dataset, with few and many edits before.

The baseline is the same page without an edit. Applying is compared with Spark writing the same rows, overwritten by a
join with the same edits, which knows nothing of lineage; Spark has started before it is timed.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

import whence
from bench._sales import sales
from bench._timing import milliseconds
from whence.cli.bench import summarise
from whence.workspace.sheet import Sheet

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 10_000_000))
EDITS = int(os.environ.get("WHENCE_BENCH_EDITS", 100_000))
PAGE = 100


def run(repeats: int) -> dict[str, object]:
    """Time each kind of keystroke in one sheet, then apply it."""
    place = os.environ.get("WHENCE_BENCH_FOLDER")
    with (
        tempfile.TemporaryDirectory(prefix="whence-bench-", dir=place) as folder,
        whence.open(Path(folder) / "sheet.whence") as workspace,
    ):
        workspace.create("t", sales(ROWS))
        times, facts = _keystrokes(workspace, repeats)
        facts |= _applying(workspace)
    return {
        "question": f"A keystroke in a sheet over {ROWS:,} rows, until the {PAGE} rows in view are there again",
        "baseline": "page, no edit",
        "results": summarise(times, "page, no edit"),
        "facts": facts,
    }


def _keystrokes(workspace: whence.Workspace, repeats: int) -> tuple[dict[str, list[float]], dict[str, float]]:
    sheet, middle, facts = workspace.sheet("t"), ROWS // 2, {}
    numbers = iter(range(1, 1_000_000))

    def type_into(column: str) -> None:
        number = next(numbers)
        sheet.set(middle + number % PAGE, column, number + 0.5)
        sheet.page(middle, middle + PAGE)

    times = {"page, no edit": _several(repeats, lambda: sheet.page(middle, middle + PAGE))}
    times["keystroke, first edits"] = _several(repeats, lambda: type_into("price"))
    facts["make the earlier edits, s"] = milliseconds(lambda: _many(sheet)) / 1000
    times[f"keystroke after {EDITS:,} edits"] = _several(repeats, lambda: type_into("price"))
    sheet.set(middle + 1, "day", "=SUM(D:D)")
    facts["first page with SUM over the edited column, ms"] = milliseconds(lambda: sheet.page(middle, middle + PAGE))
    times["the same, SUM over the edited column in view"] = _several(repeats, lambda: type_into("price"))
    sheet.insert_column("worth", after="day").set_column("worth", "=C1*D1")
    times["the same, and a formula in every row"] = _several(repeats, lambda: type_into("price"))
    times["undo of an edit"] = _several(repeats, lambda: _undo(sheet, middle))
    sheet.insert_row(after=middle)
    sheet.page(middle, middle + PAGE)
    times["insert a row"] = _several(min(repeats, 5), lambda: _insert(sheet, middle))
    facts["sort by a column, s"] = milliseconds(lambda: sheet.sort("day").page(0, PAGE)) / 1000
    times["keystroke after the sort"] = _several(repeats, lambda: type_into("price"))
    return times, facts


def _undo(sheet: Sheet, middle: int) -> None:
    sheet.undo()
    sheet.page(middle, middle + PAGE)


def _insert(sheet: Sheet, middle: int) -> None:
    sheet.insert_row(after=middle)
    sheet.page(middle, middle + PAGE)


def _many(sheet: Sheet) -> None:
    places = random.Random(0)
    for number in range(EDITS):
        sheet.set(places.randrange(ROWS), "price", number + 0.25)


def _applying(workspace: whence.Workspace) -> dict[str, float]:
    """The same edits kept as a dataset by whence, and written by Spark through a join."""
    sheet = workspace.sheet("t")
    _many(sheet)
    facts = {"apply the edits, s": milliseconds(lambda: sheet.apply("applied")) / 1000}
    frame, spark = workspace["t"].df, workspace.spark
    places, edits = random.Random(0), {}
    for number in range(EDITS):
        edits[places.randrange(ROWS)] = number + 0.25
    overlay = spark.createDataFrame(pa.table({"id": list(edits), "new": list(edits.values())}))
    target = str(workspace.path / "tmp" / "rewritten.parquet")

    def rewrite() -> None:
        joined = frame.join(overlay, "id", "left")
        columns = ["id", "city", "qty", "coalesce(new, price) as price", "day"]
        joined.selectExpr(*columns).write.mode("overwrite").option("compression", "zstd").parquet(target)

    rewrite()
    facts["Spark rewrites them by a join, s"] = milliseconds(rewrite) / 1000
    facts["apply against Spark's rewrite"] = facts["apply the edits, s"] / facts["Spark rewrites them by a join, s"]
    return facts


def _several(repeats: int, act: Callable[[], object]) -> list[float]:
    return [milliseconds(act) for _ in range(repeats)]
