"""What whence says about a query over a batch: rows, lineage, marks; the only oracle module that calls it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.oracles.cases import SCHEMAS, Batch, schema_sql
from tests.oracles.evaluate import Lineage, Row, SourceRow
from tests.oracles.expressions import Values
from tests.oracles.queries import Query, Stored, tables_of
from tests.oracles.render import Style, to_sql

if TYPE_CHECKING:
    from whence import Dataset, Workspace


VALUE_ROLES = ("copied", "computed", "aggregated")


@dataclass(frozen=True)
class AnswerRow:
    """One row of the answer; marks are empty if they were not asked for."""

    values: Values
    lineage: Lineage
    marks: tuple[bool, ...] = ()
    row_mark: bool = False


@dataclass(frozen=True)
class Answer:
    dataset: "Dataset"
    sql: str
    rows: tuple[AnswerRow, ...]
    row_set: bool = False


def create_tables(ws: "Workspace", batch: Batch) -> None:
    """The batch's tables with its suspects as caveats."""
    suspects = [suspect for number in range(len(batch.cases)) for suspect in batch.suspects(number)]
    for name in SCHEMAS:
        here = [suspect for suspect in suspects if suspect.table == name]
        ws.create(
            name,
            batch.rows[name],
            schema=schema_sql(batch.columns(name)),
            cell_caveats=[
                (
                    one.row,
                    one.column,
                    "could be anything" if one.range is None else "has a range",
                    one.range or (None, None),
                )
                for one in here
                if one.column is not None
            ],
            row_caveats=[(one.row, "could be absent") for one in here if one.column is None],
        )


def run(ws: "Workspace", query: Query, name: str, style: Style) -> tuple["Dataset", str]:
    """The query as a dataset, after the datasets it reads by name."""
    statements = []
    for step in reversed(list(query.walk())):
        if isinstance(step, Stored) and not step.inline:
            statements.append(to_sql(step.child, style))
            ws.sql(statements[-1], name=step.name)
    statements.append(to_sql(query, style))
    return ws.sql(statements[-1], name=name), ";\n".join(statements)


def ask(ws: "Workspace", query: Query, name: str, style: Style, marks: bool) -> Answer:
    """Run a query and ask for everything about all its rows."""
    ds, sql = run(ws, query, name, style)
    return read_answer(ds, sql, query, marks)


def read_answer(ds: "Dataset", sql: str, query: Query, marks: bool) -> Answer:
    """Ask a dataset for everything about all rows of a query; it may have more columns than the query."""
    rows = [tuple(row.values())[: len(query.names)] for row in ds.rows(0, ds.count).to_pylist()]
    lineage = _lineage(ds, query, len(rows))
    if not marks:
        return Answer(ds, sql, tuple(map(AnswerRow, rows, lineage)))
    table = ds.caveats.marks()
    cells = zip(*(table.column(column).to_pylist() for column in query.names), strict=True)
    found = map(AnswerRow, rows, lineage, cells, table.column("_row").to_pylist())
    return Answer(ds, sql, tuple(found), ds.caveats.row_set)


def _lineage(ds: "Dataset", query: Query, count: int) -> list[Lineage]:
    behind: dict[int, set[SourceRow]] = defaultdict(set)
    for table in tables_of(query):
        outs, sources = ds.lineage.pairs(to=table)
        for out, source in zip(outs.tolist(), sources.tolist(), strict=True):
            behind[out].add((table, source))
    assert set(behind) <= set(range(count)), "lineage of rows that do not exist"
    return [frozenset(behind[number]) for number in range(count)]


def spot_checks(ws: "Workspace", query: Query, answer: Answer, rows: Sequence[int]) -> list[str]:
    """Single questions, back from some rows and forward from what is behind them, must agree with the bulk answer."""
    problems = []
    for table in tables_of(query):
        sources = sorted({rid for row in rows for name, rid in answer.rows[row].lineage if name == table})
        back = answer.dataset.lineage.backward(list(rows), to=table).ids.tolist()
        if back != sources:
            problems.append(f"backward({list(rows)}, to={table!r}) gives {back}, pairs give {sources}")
        reached = [n for n, row in enumerate(answer.rows) if any((table, rid) in row.lineage for rid in sources)]
        forward = ws[table].lineage.forward(sources, to=answer.dataset.name).ids.tolist()
        if forward != reached:
            problems.append(f"{table}: forward({sources}) gives {forward}, pairs give {reached}")
    return problems


def cell_problems(query: Query, answer: Answer, row: int, defined: Row) -> list[str]:
    """What gave a value must be exactly what its expressions read; cells that only decided the row may come on top."""
    problems = []
    for column, value, cells in zip(query.names, defined.values, defined.cells, strict=True):
        refs = answer.dataset.lineage.cell(row, column, to="sources")
        everything = {(ref.dataset, ref.row, ref.column) for ref in refs}
        gave = {(ref.dataset, ref.row, ref.column) for ref in refs if ref.role in VALUE_ROLES}
        if not gave <= cells <= everything:
            problems.append(
                f"cell({row}, {column!r}) gives {sorted(gave)} of {sorted(everything)}, read {sorted(cells)}"
            )
        wrong = [ref for ref in refs if ref.role == "copied" and ref.value != value]
        problems += [f"cell({row}, {column!r}) copied from a cell that holds {ref.value!r}" for ref in wrong]
    return problems
