"""What must hold for a query of the grammar, by definitions that know no rule of whence.

Rows are those of plain Spark, and of DuckDB where the text means the same there. Lineage agrees in both directions, and
the rows behind a row give it again. A cell that might hold something else changes only what is marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from random import Random
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from tests.oracles.analyst_plain import (
    SETTINGS,
    PlainSpark,
    Row,
    World,
    comparable,
    only_rows,
    rename_tables,
    with_value,
)
from tests.oracles.analyst_tables import SCHEMAS, Cell, Database
from tests.oracles.analyst_writer import WrittenQuery
from tests.oracles.unmarked_changes import Marked, find_unmarked_changes

if TYPE_CHECKING:
    from whence import Dataset, Workspace

CELLS_IN_DOUBT = {"orders": 3, "shops": 2, "weather": 1, "edges": 1}
"""In how many versions a table exists that have one cell in doubt each."""

_SAMPLE = re.compile(r"tablesample \(50 percent\) repeatable \(\d+\)")
_GROUPING_SETS = re.compile(r"group by (?:(?:rollup|cube)\([^()]*\)|grouping sets \((?:\([^()]*\)(?:, )?)+\))")
_NOT_IN_DUCKDB = re.compile(r"\.(?:v|attrs|spot|tags|doc)\b")


@dataclass(frozen=True)
class Verdict:
    """What was found about one query."""

    query: WrittenQuery
    problems: list[str]
    is_exact: bool = False
    reason: str = ""
    cuts: int = 0
    """Rows that were made again from the rows behind them."""
    worlds: int = 0
    """Other values of a cell in doubt."""
    marks: int = 0
    """Cells and rows that are marked."""
    was_in_duckdb: bool = False


class AnalystBench:
    """A random database in a workspace, beside it in plain Spark and in DuckDB."""

    def __init__(self, ws: Workspace, dice: Random, rows_cut: int, values: int) -> None:
        self.ws, self._dice, self._rows_cut, self._values = ws, dice, rows_cut, values
        for setting in ("spark.sql.codegen.wholeStage", "spark.sql.codegen.factoryMode"):
            ws.spark.conf.set(setting, SETTINGS[setting])
        self.database = Database.random(dice)
        self.plain = PlainSpark(ws.spark, self.database)
        self._names = count()
        self._in_doubt = {self._create_in_doubt(cell): cell for cell in self._random_cells()}
        for table in SCHEMAS:
            ws.create(table, self.plain.frame(table))
        self._duck_tables = {table: self._for_duckdb(table) for table in SCHEMAS}

    def _random_cells(self) -> Iterable[Cell]:
        for table, many in CELLS_IN_DOUBT.items():
            columns = [name for name in SCHEMAS[table] if name != "id"]
            for column in self._dice.sample(columns, many):
                yield self.database.random_cell(self._dice, table, column)

    def _create_in_doubt(self, cell: Cell) -> str:
        name = f"{cell.table}_{cell.column}"
        doubt = [(cell.row, cell.column, "might be something else")]
        self.ws.create(name, self.plain.frame(cell.table), cell_caveats=doubt)
        return name

    def _for_duckdb(self, table: str) -> pa.Table:
        return self.plain.frame(table).drop("tags", "attrs", "spot", "doc", "v").toArrow()

    def judge(self, query: WrittenQuery) -> Verdict:
        """Run a query everywhere and say what is wrong."""
        suspect = self._choose_suspect(query)
        tables = {name: name for name in query.tables} | {self._in_doubt[each].table: each for each in suspect}
        cells = [self._in_doubt[each] for each in suspect]
        try:
            made = self._derive(query, tables)
        except Exception as error:
            return Verdict(query, [f"{type(error).__name__}: {error}"])
        return self._judge_dataset(query, made, tables, cells)

    def _choose_suspect(self, query: WrittenQuery) -> list[str]:
        """A table of the query in the version that has a cell in doubt, if possible in a column the query names."""
        fitting = [name for name, cell in self._in_doubt.items() if cell.table in query.tables]
        named = [name for name in fitting if re.search(rf"\b{self._in_doubt[name].column}\b", str(query))]
        chosen = named or fitting
        return [self._dice.choice(chosen)] if chosen and not query.is_drawn else []

    def _derive(self, query: WrittenQuery, tables: Mapping[str, str]) -> Dataset:
        ws, name = self.ws, f"out{next(self._names)}"
        if query.statements or query.arguments:
            for table in tables.values():
                ws[table].df.createOrReplaceTempView(table)
        for statement in query.statements:
            ws.spark.sql(rename_tables(statement, tables))
        text = rename_tables(query.text, tables)
        if query.arguments:
            return ws.dataset(ws.spark.sql(text, dict(query.arguments)), name=name)
        return ws.sql(text, name=name)

    def _judge_dataset(
        self, query: WrittenQuery, made: Dataset, tables: Mapping[str, str], cells: Sequence[Cell]
    ) -> Verdict:
        rows = _rows(made)
        problems = self._one_way(made, tables)
        cuts = self._cuts(query, made, tables, len(rows))
        worlds = [{cell.table: with_value(cell, value)} for cell in cells for value in self._others(cell)]
        given, *others = self.plain.run(_undrawn(query), [{}, *cuts.values(), *worlds])
        problems += _wrong_rows(rows, given, is_drawn=query.is_drawn)
        problems += [_lost(rows[row]) for row, again in zip(cuts, others, strict=False) if rows[row] not in again]
        marked = _marks(made, rows)
        for cell, world in zip(worlds, others[len(cuts) :], strict=True):
            problems += [f"{each} with {cell}" for each in find_unmarked_changes(marked, world)]
        in_duckdb = self._fits_duckdb(query)
        problems += self._wrong_in_duckdb(query, given) if in_duckdb else []
        marks = sum(sum(each) for each in marked.cells) + sum(marked.rows)
        exact, reason = made.lineage.exact, made.lineage.strategy
        return Verdict(query, problems, exact, reason, len(cuts), len(worlds), marks, in_duckdb)

    def _others(self, cell: Cell) -> list[str]:
        return self.database.other_values(self._dice, cell, self._values)

    def _cuts(self, query: WrittenQuery, made: Dataset, tables: Mapping[str, str], rows: int) -> dict[int, World]:
        """Some rows, with the tables cut down to what is behind each."""
        if query.suffices == "nothing":
            return {}
        asked = self._dice.sample(range(rows), min(self._rows_cut, rows))
        return {row: self._behind(query, made, tables, row) for row in asked}

    def _behind(self, query: WrittenQuery, made: Dataset, tables: Mapping[str, str], row: int) -> World:
        def rids(dataset: str) -> list[int]:
            found = made.lineage.backward([row], to=dataset, influence=query.suffices == "influence")
            return list(map(int, found.ids))

        return {table: only_rows(table, rids(dataset)) for table, dataset in tables.items()}

    def _one_way(self, made: Dataset, tables: Mapping[str, str]) -> list[str]:
        """Pairs of rows that one direction knows and the other does not, or a single question does not."""
        problems = []
        for dataset in tables.values():
            back = _pairs(made.lineage.backward_each(range(made.count), to=dataset))
            source = self.ws[dataset]
            forth = {(row, rid) for rid, row in _pairs(source.lineage.forward_each(range(source.count), to=made))}
            if back != forth:
                problems.append(f"{dataset}: backward only {sorted(back - forth)}, forward only {sorted(forth - back)}")
            if made.count:
                row = self._dice.randrange(made.count)
                single = made.lineage.backward([row], to=dataset).ids.tolist()
                if single != sorted(rid for each, rid in back if each == row):
                    problems.append(f"{dataset}: backward([{row}]) gives {single}, all rows at once another answer")
        return problems

    def _fits_duckdb(self, query: WrittenQuery) -> bool:
        return query.everywhere and not _NOT_IN_DUCKDB.search(str(query))

    def _wrong_in_duckdb(self, query: WrittenQuery, rows: Sequence[Row]) -> list[str]:
        with duckdb.connect() as duck:
            for table in query.tables:
                duck.register(table, self._duck_tables[table])
            found = duck.execute(_with_spark_totals(query.text)).fetchall()
        missing, extra = _differences(map(_as_numbers, rows), map(_as_numbers, found))
        return [f"DuckDB gives other rows: not {missing}, but {extra}"] if missing or extra else []


def _pairs(answers: Iterable[object]) -> set[tuple[int, int]]:
    return {(number, rid) for number, rows in enumerate(answers) for rid in rows.ids.tolist()}  # type: ignore[attr-defined]


def _rows(made: Dataset) -> list[Row]:
    kinds = [field.dataType for field in made.df.schema.fields]
    table = made.rows(0, made.count)
    columns = [
        [comparable(value, kind) for value in column.to_pylist()]
        for column, kind in zip(table.columns, kinds, strict=True)
    ]
    return list(zip(*columns, strict=True))


def _marks(made: Dataset, rows: list[Row]) -> Marked:
    table = made.caveats.marks()
    cells = list(zip(*(table.column(name).to_pylist() for name in made.columns), strict=True))
    return Marked(rows, cells, table.column("_row").to_pylist(), made.caveats.row_set)


def _with_spark_totals(text: str) -> str:
    """The text for DuckDB: grouping sets of no rows give no row in Spark, where DuckDB gives the total of none."""
    return _GROUPING_SETS.sub(r"\g<0> having count(*) > 0", text)


def _undrawn(query: WrittenQuery) -> WrittenQuery:
    """The query without its sample, of whose rows the sample's are some."""
    return query.replaced(_SAMPLE.sub("", query.text)) if query.is_drawn else query


def _wrong_rows(found: Sequence[Row], given: Sequence[Row], *, is_drawn: bool) -> list[str]:
    missing, extra = _differences(given, found)
    if extra or (missing and not is_drawn):
        return [f"plain Spark gives other rows: {missing}, but not {extra}"]
    return []


def _differences(left: Iterable[Row], right: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    mine, theirs = Counter(left), Counter(right)
    return list((mine - theirs).elements()), list((theirs - mine).elements())


def _as_numbers(row: Row) -> Row:
    return tuple(round(float(value), 9) if isinstance(value, int | float | Decimal) else value for value in row)


def _lost(row: Row) -> str:
    return f"the rows behind it do not give it again: {row}"
