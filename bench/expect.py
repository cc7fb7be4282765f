"""What checks cost: twelve over a million rows, against the same in pandera, and as plain SQL in Spark and DuckDB."""

from __future__ import annotations

from functools import cache
from itertools import count

import duckdb
import numpy as np
import pandas as pd
import pandera.pandas as pandera
import pyarrow as pa

import whence
from whence.checks.report import CheckReport
from whence.cli.bench import Action, Answers, Benchmark, Context
from whence.workspace.dataset import Dataset

ROWS = 1_000_000
CUSTOMERS = 20_000
CHECKS: dict[whence.Check, str] = {
    whence.Check("row", "amount >= discount"): "not (amount >= discount)",
    whence.Check("row", "state <> 'paid' or amount > 1"): "not (state <> 'paid' or amount > 1)",
    whence.Check("key", "id"): "id is null or count(*) over (partition by id) > 1",
    whence.Check("dependency", "zip -> town"): (
        "min(coalesce(town, '')) over (partition by zip) <> max(coalesce(town, '')) over (partition by zip)"
    ),
    whence.Check(
        "reference", "customer", "customers", "number"
    ): "not exists (select 1 from customers where number = customer)",
    whence.Check("between", "amount", 0, 990.5): "amount < 0 or amount > 990.5",
    whence.Check("between", "discount", low=0): "discount < 0",
    whence.Check("one_of", "state", ["open", "paid", "sent"]): "state not in ('open', 'paid', 'sent')",
    whence.Check("not_null", "town"): "town is null",
    whence.Check("not_null", "discount"): "discount is null",
    whence.Check("matches", "zip", "[0-9]{5}"): "not regexp_like(zip, '^[0-9]{5}$')",
    whence.Check("count", 1, ROWS): "false",
}
"""Each check, and the condition of the rows that fail in SQL that both engines read."""


def orders() -> pa.Table:
    """Orders of which about one in a thousand fails each check."""
    random = np.random.default_rng(7)
    places = random.integers(10_000, 30_000, ROWS)
    odd = random.random((ROWS, 5)) < 0.001
    return pa.table(
        {
            "id": np.where(odd[:, 0], 1, np.arange(ROWS) + 2),
            "customer": np.where(odd[:, 1], CUSTOMERS + 1, random.integers(0, CUSTOMERS, ROWS)),
            "amount": random.integers(0, 100_000, ROWS) / 100,
            "discount": pa.array(random.integers(-1, 1_000, ROWS) / 1_000, mask=odd[:, 2]),
            "state": np.where(odd[:, 3], "lost", random.choice(["open", "paid", "sent"], ROWS)),
            "zip": [f"{place}x" if is_odd else str(place) for place, is_odd in zip(places, odd[:, 4], strict=True)],
            "town": pa.array([f"town {place % 4_000}" for place in places], mask=random.random(ROWS) < 0.001),
        }
    )


@cache
def _workspace(context: Context) -> whence.Workspace:
    workspace = context.closing.enter_context(whence.open(context.folder / "orders.whence"))
    workspace.create("orders", orders())
    workspace.create("customers", pa.table({"number": np.arange(CUSTOMERS)}))
    return workspace


def _query(rows: str) -> str:
    flags = ", ".join(f"coalesce({fails}, false) as f{number}" for number, fails in enumerate(CHECKS.values()))
    every = " or ".join(f"f{number}" for number in range(len(CHECKS)))
    shown = ", ".join(f"f{number}" for number in range(len(CHECKS)))
    return f"select rid, {shown} from (select rid, {flags} from {rows}) where {every} order by rid"


def _spark(context: Context) -> Action:
    workspace = _workspace(context)
    engine = workspace["orders"].context.engine
    view = context.closing.enter_context(engine.numbered_view(workspace["orders"].record, "rid"))
    customers = context.closing.enter_context(engine.view(workspace["customers"].df))
    query = _query(view).replace("customers", customers)
    return lambda: engine.to_arrow(engine.query(query))


def _duckdb(context: Context) -> Action:
    workspace = _workspace(context)
    connection = context.closing.enter_context(duckdb.connect())
    table = workspace["orders"].to_arrow()
    connection.register("given", table.append_column("rid", pa.array(np.arange(ROWS))))
    connection.execute("create table orders as select * from given")
    connection.register("customers", workspace["customers"].to_arrow())
    query = _query("orders").replace("regexp_like", "regexp_matches")
    return lambda: connection.sql(query).to_arrow_table()


def _one_town(orders: pd.DataFrame) -> pd.Series[bool]:
    towns = orders["town"].fillna("").groupby(orders["zip"])
    return towns.transform("nunique") == 1


def _schema() -> pandera.DataFrameSchema:
    """The same checks for pandera, each under the number that it has in CHECKS."""
    check, customers = pandera.Check, range(CUSTOMERS)

    def paid(orders: pd.DataFrame) -> pd.Series[bool]:
        return (orders["state"] != "paid") | (orders["amount"] > 1)

    def discounted(orders: pd.DataFrame) -> pd.Series[bool]:
        return (orders["amount"] >= orders["discount"]) | orders["discount"].isna()

    columns = {
        "id": pandera.Column(checks=check(lambda ids: ~ids.duplicated(keep=False) & ids.notna(), error="2")),
        "customer": pandera.Column(checks=check.isin(customers, error="4")),
        "amount": pandera.Column(checks=check.in_range(0, 990.5, error="5")),
        "discount": pandera.Column(
            nullable=True,
            checks=[check.ge(0, error="6"), check(lambda values: values.notna(), error="9", ignore_na=False)],
        ),
        "state": pandera.Column(checks=check.isin(["open", "paid", "sent"], error="7")),
        "zip": pandera.Column(checks=check.str_matches("^[0-9]{5}$", error="10")),
        "town": pandera.Column(nullable=True, checks=check(lambda values: values.notna(), error="8", ignore_na=False)),
    }
    of_rows = [
        check(discounted, error="0", ignore_na=False),
        check(paid, error="1", ignore_na=False),
        check(_one_town, error="3", ignore_na=False),
        check(lambda orders: 1 <= len(orders) <= ROWS, error="11"),
    ]
    return pandera.DataFrameSchema(columns, checks=of_rows)


def _pandera(context: Context) -> Action:
    schema, table = _schema(), _workspace(context)["orders"].to_arrow().to_pandas()

    def act() -> pd.DataFrame:
        try:
            schema.validate(table, lazy=True)
        except pandera.errors.SchemaErrors as error:
            found: pd.DataFrame = error.failure_cases
            return found
        return pd.DataFrame()

    return act


def _find(context: Context) -> Action:
    """Find the failing rows and store nothing, as `whence expect` does where an error fails."""
    workspace = _workspace(context)
    checks = [*CHECKS, whence.Check("count", 0, 0, severity="error")]
    return lambda: workspace.expect("orders@1", checks, stop=False)


def _expect(context: Context) -> Action:
    """Find the failing rows, and make a version with a caveat on each."""
    workspace, numbers = _workspace(context), count()
    return lambda: workspace.expect("orders@1", list(CHECKS), name=f"checked {next(numbers)}")


def _failing_rows_are_equal(answers: Answers) -> None:
    for name in ("whence, rows found", "whence, rows marked"):
        report = answers[name]
        assert isinstance(report, CheckReport)
        for peer in ("spark sql", "duckdb"):
            table = answers[peer]
            assert isinstance(table, pa.Table)
            rids = table["rid"].to_numpy()
            for number, result in enumerate(report.results[: len(CHECKS)]):
                expected = np.sort(rids[table[f"f{number}"].to_numpy()])
                assert np.array_equal(result.rows, expected), (peer, result.check.name)


def _pandera_fails_the_same_rows(answers: Answers) -> None:
    report, cases = answers["whence, rows found"], answers["pandera"]
    assert isinstance(report, CheckReport)
    assert isinstance(cases, pd.DataFrame)
    for number, result in enumerate(report.results[: len(CHECKS)]):
        theirs = np.unique(cases.loc[cases["check"] == str(number), "index"].to_numpy(dtype=np.int64))
        assert np.array_equal(result.rows, theirs), (result.check.name, len(result.rows), len(theirs))


def _facts(answers: Answers) -> dict[str, object]:
    report = answers["whence, rows marked"]
    assert isinstance(report, CheckReport)
    assert isinstance(report.dataset, Dataset)
    return {"failing rows": sum(each.count for each in report.results)}


BENCHMARK = Benchmark(
    name="expect",
    question=f"Twelve checks over {ROWS:,} rows: how much longer than plain SQL that finds the same rows?",
    baseline="spark sql",
    contenders={
        "spark sql": _spark,
        "duckdb": _duckdb,
        "pandera": _pandera,
        "whence, rows found": _find,
        "whence, rows marked": _expect,
    },
    checks=(_failing_rows_are_equal, _pandera_fails_the_same_rows),
    facts=_facts,
)
