"""What cleaning costs: lenses over a messy price list of a million rows, against Spark copying it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import count

import numpy as np
import pyarrow as pa

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context

ROWS = 1_000_000
SUPPLIERS = 5_000
LENSES: Mapping[str, Mapping[str, object]] = {
    "trim": {"columns": ["supplier"]},
    "parse_numbers": {"column": "price"},
    "parse_dates": {"column": "day"},
    "standardise": {"column": "supplier"},
    "impute": {"column": "stock", "by": ["supplier"]},
    "flag_outliers": {"column": "stock"},
    "watch_shape": {},
    "repair_key": {"column": "part"},
}


def prices() -> pa.Table:
    """A price list as suppliers write it: several forms of prices, dates and names, some of each doubtful."""
    random = np.random.default_rng(7)
    number = random.integers(100, 999_999, ROWS)
    form = random.choice(4, ROWS, p=[0.6, 0.3, 0.09, 0.01])
    price = [
        (f"{n / 100:.2f} USD", f"${n / 100:.2f}", f"{n},50 EUR", "on request")[f]
        for n, f in zip(number.tolist(), form.tolist(), strict=True)
    ]
    day, month = random.integers(1, 29, ROWS).tolist(), random.integers(1, 13, ROWS).tolist()
    written = [
        f"2020-{m:02d}-{d:02d}" if f < 2 else f"{d}/{m}/2020" for d, m, f in zip(day, month, form.tolist(), strict=True)
    ]
    ways = ("Supplier {0}", "SUPPLIER {0}", "supplier, {0}")
    who = random.integers(0, SUPPLIERS, ROWS).tolist()
    supplier = [ways[f % 3].format(n) for n, f in zip(who, form.tolist(), strict=True)]
    stock = random.normal(100, 20, ROWS)
    part = random.integers(0, ROWS, ROWS)
    missing = random.random(ROWS) < 0.01
    return pa.table(
        {"part": part, "supplier": supplier, "price": price, "day": written, "stock": pa.array(stock, mask=missing)}
    )


@cache
def _workspace(context: Context) -> whence.Workspace:
    workspace = context.closing.enter_context(whence.open(context.folder / "prices.whence"))
    workspace.create("prices", prices())
    return workspace


def _spark(context: Context) -> Action:
    workspace = _workspace(context)
    rows, numbers = workspace["prices"].df, count()
    return lambda: rows.write.option("compression", "zstd").parquet(str(context.folder / f"plain-{next(numbers)}"))


def _lens(lens: str) -> Callable[[Context], Action]:
    def start(context: Context) -> Action:
        workspace = _workspace(context)
        return lambda: workspace.lens(lens, "prices", name=f"made by {lens}", **LENSES[lens])

    return start


def _every_row_is_accounted_for(answers: Answers) -> None:
    for lens in LENSES:
        made = answers[lens]
        assert isinstance(made, whence.Dataset)
        _, source = made.lineage.pairs(to="prices")
        assert len(np.unique(source)) == ROWS, lens


BENCHMARK = Benchmark(
    name="lenses",
    question=f"Cleaning {ROWS:,} rows with lineage and caveats: how much longer than Spark takes to copy them?",
    baseline="spark",
    contenders={"spark": _spark, **{lens: _lens(lens) for lens in LENSES}},
    checks=(_every_row_is_accounted_for,),
)
