"""Every caller of the main path, as a function that makes a dataset of a name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import whence
from tests.derive.array_operators import Shuffle, double_amount
from tests.derive.callers import BARS, SUM, edits, explanation, make_tables, pipeline
from whence.arrays import EachRow

Make = Callable[[str], whence.Dataset]

AMOUNTS = "shop string, day int, amount double"


@dataclass(frozen=True)
class Caller:
    """Makes a dataset of a name; the text of a group-by can be run again, so that its lineage may come later."""

    make: Make
    source: str = "sales"
    is_group_by: bool = False
    kind: str = ""
    """The kind of cell that makes it; empty where a call of the library does."""


def callers(ws: whence.Workspace) -> dict[str, Caller]:
    """All callers; what explains was asked while lineage was captured."""
    make_tables(ws)
    ws.array("grid", np.arange(6.0))
    explained = explanation(ws)
    operations = edits(ws)

    def cell(kind: str, *, is_group_by: bool = False, made_from: str = "sales", **values: object) -> Caller:
        return Caller(lambda name: ws.run_cell(kind, name=name, **values), made_from, is_group_by, kind)

    def python(code: str) -> Caller:
        return Caller(lambda name: ws.run_cell("python", source=f"ws['{name}'] = {code}"), kind="python")

    def split(name: str) -> whence.Dataset:
        return ws.run_cell("split", source="sales", parts=[{"name": name, "condition": "day > 3"}])

    bars: dict[str, Any] = {"source": "sales", "chart": "bar", "x": "shop", "y": "sum(amount)"}
    odd: dict[str, Any] = {"source": "visits_by_day", "column": "total", "outliers": [1], "becomes": "filter"}
    return {
        "ws.sql": Caller(lambda name: ws.sql(SUM, name=name), is_group_by=True),
        "ws.dataset": Caller(lambda name: ws.dataset(ws["sales"].df.where("day > 1"), name=name)),
        "sql cell": cell("sql", source=SUM + " having total > 0", is_group_by=True),
        "python cell, pandas": python("ws['sales'].to_pandas().query('day > 2')"),
        "python cell, the same dataset": python("ws['sales']"),
        "copy cell": cell("copy_dataset", source="sales"),
        "rename cell": cell("rename_dataset", source="sales"),
        "checkpoint cell": cell("checkpoint", source="sales"),
        "split cell": Caller(split, kind="split"),
        "filter cell": cell("filter", source="sales", condition="day > 2"),
        "join cell": cell("join", source="sales", other="shops", on=["shop"]),
        "sample cell": cell("sample", source="sales", rows=3, seed=7),
        "caveat cell": cell("caveat", source="sales", message="odd", column="amount"),
        "ws.expect": Caller(lambda name: ws.expect("sales", [whence.Check("row", "day > 2")], name).dataset),
        "expect cell": cell("expect", source="sales", row=[{"condition": "day > 1"}]),
        "group_by cell": cell("group_by", source="sales", columns=["shop"], values={"total": "sum(amount)"}),
        "sheet": Caller(lambda name: ws.sheet("sales").set(1, "amount", "=C1*2").apply(name)),
        "sheet cell": cell("sheet", source="sales", operations=operations),
        "lens": Caller(lambda name: ws.lens("trim", "sales", name=name, columns=["shop"])),
        "lens cell": cell("impute", source="sales", column="amount", method="constant", value=0),
        "chart": Caller(lambda name: ws["sales"].chart(BARS, name=name).marks, is_group_by=True),
        "chart cell": cell("chart", **bars, is_group_by=True),
        "pipeline": Caller(lambda name: pipeline(ws, name).result),
        "normalize cell": cell("normalize", source="sales", columns=["amount"]),
        "explain's filter": Caller(explained.as_filter, "visits"),
        "explain's label": Caller(explained.as_label, "visits"),
        "explain's caveat": Caller(explained.as_caveat, "visits"),
        "explain cell": cell("explain", **odd, made_from="visits"),
        "ws.apply, rows": Caller(lambda name: ws.apply(EachRow(double_amount, AMOUNTS), "sales", name=name)),
        "ws.apply, an array": Caller(lambda name: ws.apply(Shuffle(), "grid", name=name), "grid"),
    }
