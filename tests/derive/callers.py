"""Makes one dataset through every caller of the main path, over small tables of which some cells are in doubt."""

from collections.abc import Callable, Iterator

import whence
from whence.lineage.strategy import Mode

SALES = [("a", 1, 5.0), ("b", 2, None), ("a", 3, 7.0), ("c", 4, 1.0), ("b", 5, 90.0), ("a", 6, 2.0)]
SHOPS = [("a", "north"), ("b", "south"), ("d", "north")]
VISITS = [(day, shop, 1.0 + 8 * day * (shop == "b")) for day in (0, 1) for shop in "abc" for _ in range(20)]

Caller = Callable[[whence.Workspace, str], whence.Dataset]
"""Makes a dataset of this name."""

SUM = "select shop, sum(amount) as total from sales group by shop"
JOIN = "select s.shop, s.amount, p.region from sales s join shops p on s.shop = p.shop"
BARS = {"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"}


def make_tables(ws: whence.Workspace) -> None:
    """What every caller reads."""
    ws.create("sales", SALES, schema="shop string, day int, amount double", cell_caveats=[(0, "amount", "a guess")])
    ws.create("shops", SHOPS, schema="shop string, region string", row_caveats=[(1, "may be closed")])
    ws.create("visits", VISITS, schema="day int, shop string, amount double")


def call_everything(ws: whence.Workspace) -> Iterator[tuple[str, whence.Dataset]]:
    """The name of each caller, and what it made."""
    make_tables(ws)
    for number, (name, call) in enumerate(CALLERS.items()):
        yield name, call(ws, f"made{number}")


def pipeline(ws: whence.Workspace, name: str) -> whence.Pipeline:
    """Three steps over sales."""
    steps = whence.Pipeline(ws["sales"], name=name)
    return steps.impute({"amount": "mean"}).filter("day < 6").normalize(["amount"])


def explanation(ws: whence.Workspace) -> whence.Explanation[whence.Dataset]:
    """Why one sum looks high."""
    sums = ws.sql("select day, sum(amount) as total from visits group by day order by day", name="visits_by_day")
    return whence.explain(sums, column="total", outliers=[1], holdouts=[0])[0]


def edits(ws: whence.Workspace) -> list[dict[str, object]]:
    """What a sheet cell does: one formula, then other rows first."""
    return ws.sheet("sales").set(1, "amount", "=C1*2").sort(("day", "desc")).operations


def _sql(text: str, lineage: bool | Mode = True) -> Caller:
    return lambda ws, name: ws.sql(text, name=name, lineage=lineage)


def _cell(kind: str, **values: object) -> Caller:
    return lambda ws, name: ws.run_cell(kind, name=name, **values)


CALLERS: dict[str, Caller] = {
    "ws.sql": _sql(JOIN + " where amount > 1"),
    "ws.sql, a sum": _sql(SUM),
    "ws.sql, the same sum": _sql(SUM),
    "ws.sql, inject": _sql(SUM, lineage="inject"),
    "ws.sql, defer": _sql(SUM, lineage="defer"),
    "ws.sql, lazy": _sql(SUM, lineage="lazy"),
    "ws.sql, off": _sql(SUM, lineage=False),
    "ws.sql, a placeholder": lambda ws, name: ws.sql("select * from {s} where day > 2", name=name, s=ws["sales"]),
    "ws.sql, a caveat": _sql("select shop, caveat_if(amount, amount > 50, 'high') as amount from sales"),
    "ws.sql, a caveat below": _sql("select sum(caveat_if(amount, day > 2, 'late')) as total from sales"),
    "ws.sql, a window": _sql("select shop, sum(amount) over (partition by shop order by day) as s from sales"),
    "ws.dataset": lambda ws, name: ws.dataset(ws["sales"].df.where("day > 1"), name=name),
    "ws.dataset, coarse": lambda ws, name: ws.dataset(
        ws["sales"].df.mapInArrow(lambda batches: batches, "shop string, day int, amount double", barrier=True),
        name=name,
    ),
    "ws.lens": lambda ws, name: ws.lens("impute", "sales", name=name, column="amount", method="constant", value=0),
    "ds.chart": lambda ws, name: ws["sales"].chart(BARS, name=name).marks,
    "pipeline": lambda ws, name: pipeline(ws, name).result,
    "explain, filter": lambda ws, name: explanation(ws).as_filter(name),
    "explain, label": lambda ws, name: explanation(ws).as_label(name),
    "explain, caveat": lambda ws, name: explanation(ws).as_caveat(name),
    "ds.caveat": lambda ws, name: ws.sql("select * from sales", name=name).caveat("day = 2", "amount", "odd"),
    "sql cell": _cell("sql", source=JOIN),
    "filter cell": _cell("filter", source="sales", condition="day > 2"),
    "join cell": _cell("join", source="sales", other="shops", on=["shop"]),
    "group_by cell": _cell("group_by", source="sales", columns=["shop"], values={"n": "count(*)"}),
    "union cell": _cell("union", source="sales", other=["sales"]),
    "sample cell": _cell("sample", source="sales", rows=3, seed=7),
    "caveat cell": _cell("caveat", source="sales", message="all odd", column="amount"),
    "caveat cell, rows missing": _cell("caveat", source="sales", message="some are missing"),
    "lens cell": _cell("impute", source="sales", column="amount", method="constant", value=0),
    "chart cell": _cell("chart", source="sales", chart="bar", x="shop", y="sum(amount)"),
    "normalize cell": _cell("normalize", source="sales", columns=["amount"]),
    "explain cell": _cell("explain", source="visits_by_day", column="total", outliers=[1], becomes="filter"),
    "sheet cell": lambda ws, name: ws.run_cell("sheet", source="sales", operations=edits(ws), name=name),
    "ws.sheet": lambda ws, name: ws.sheet("sales").set(1, "amount", "=C1*2").apply(name),
    "python cell, pandas": lambda ws, name: ws.run_cell(
        "python", source=f"ws['{name}'] = ws['sales'].to_pandas().query('day > 2')"
    ),
    "python cell, the same dataset": lambda ws, name: ws.run_cell("python", source=f"ws['{name}'] = ws['sales']"),
}
