"""Turn the values of a column into columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field, unique_names
from whence.plan.sql_text import quoted, text
from whence.transformations.arguments import Arguments
from whence.transformations.duplicates import ORDER_AS_FOUND, guess_disagreement
from whence.transformations.input_table import RID, InputTable, join_names
from whence.transformations.plan import Guess, NewRows, Output, TransformationPlan
from whence.transformations.sql import as_text
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_MOST_COLUMNS = 1_000
_SPREADABLE = ("string", "tinyint", "smallint", "int", "bigint", "boolean", "date")
_FUNCTIONS = {"mean": "avg", "smallest": "min", "largest": "max"}
_OTHER_NAMES = {"keys": "index", "column": "columns", "value": "values", "method": "aggregate"}


class Pivot(Transformation):
    """Make one row for each group of the index columns and one column for each value of `columns`. A cell holds the
    only value of `values` that there should be, or an aggregate of all."""

    name = "pivot"
    title = "Pivot"
    group = "Query"
    guesses = "with aggregate only: each cell for which there are several different values; the caveat lists them"
    pattern = "aggregation"
    provenance = "a cell comes from the values of the group's rows that hold its column's value"
    parameters = (
        Parameter("index", "columns", "one row for each group of these", is_required=True),
        Parameter("columns", "column", "the column whose values become columns", is_required=True),
        Parameter("values", "column", "the column whose values fill them", is_required=True),
        Parameter(
            "aggregate", "text", "`only`, the one value there should be, or sum, mean, count, largest, ...", "sum"
        ),
    )
    example = {"index": ["shop"], "columns": "year", "values": "sales", "aggregate": "sum"}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        """Accept the names that lenses use: `keys`, `column`, `value` and `method`, which then is `only` by default."""
        named = {_OTHER_NAMES.get(name, name): value for name, value in values.items()}
        if "keys" in values and "method" not in values:
            named["aggregate"] = "only"
        return super().check(asker, named)

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        keys, spread, value = arguments.columns("index"), arguments.column("columns"), arguments.column("values")
        aggregate = _FUNCTIONS.get(arguments.text("aggregate"), arguments.text("aggregate"))
        _check(table, arguments, aggregate)
        kinds = _kinds(table, spread)
        names = unique_names([*(key.name for key in keys), *kinds])[len(keys) :]
        cells = [_cell(name, kind, spread, value, aggregate) for name, kind in zip(names, kinds, strict=True)]
        grouped = ", ".join(quoted(key.name) for key in keys)
        how = "the only value" if aggregate == "only" else aggregate
        return TransformationPlan(
            f"Pivoted {spread.name} by {join_names(key.name for key in keys)}: {how} of {value.name}."
            f"{table.learned_in_doubt(spread)}",
            (*(Output(key.name, quoted(key.name)) for key in keys), *(output for output, _ in cells)),
            (
                *(Template((Read(key.name, "grouped"),), (key.name,)) for key in keys),
                *(_template(name, kind, spread, value, keys) for name, kind in zip(names, kinds, strict=True)),
            ),
            tuple(guess for _, guess in cells if guess is not None),
            {"columns": kinds},
            new_rows=NewRows(
                f"select {{columns}} from {{input}} group by {grouped} {ORDER_AS_FOUND}",
                continues=False,
                drops="it became part of a group",
            ),
        )


def _check(table: InputTable, arguments: Arguments, aggregate: str) -> None:
    spread, value = arguments.column("columns"), arguments.column("values")
    if spread in arguments.columns("index") or value in arguments.columns("index"):
        raise UserError("pivot cannot use one column both as index and as columns or values.")
    if spread.type not in _SPREADABLE:
        raise UserError(f"{spread.name} holds {spread.type}, whose values make no column names.", "Make it text first.")
    # The name goes into the SQL text as it is.
    if not aggregate.isidentifier():
        raise UserError(f"{aggregate} is no aggregate function.", "For example: sum, avg, max, count.")
    if aggregate != "only":  # Spark says so if there is no such function, or it is not allowed
        table.analyse([f"{aggregate}({quoted(value.name)})"])


def _kinds(table: InputTable, spread: Field) -> list[str]:
    """Return the values that become columns; rows without a value get a column of their own."""
    value = as_text(quoted(spread.name))
    rows = table.ask(f"select distinct {value} as v from {table.view} order by 1 limit {_MOST_COLUMNS + 1}")
    if len(rows) > _MOST_COLUMNS:
        raise UserError(f"{spread.name} has more than {_MOST_COLUMNS:,} values, too many to be columns.")
    return [str(row["v"]) for row in rows]


def _cell(name: str, kind: str, spread: Field, value: Field, aggregate: str) -> tuple[Output, Guess | None]:
    read, is_it = quoted(value.name), f"{as_text(quoted(spread.name))} = {text(kind)}"
    if aggregate != "only":
        return Output(name, f"{aggregate}({read}) filter (where {is_it})"), None
    only = f" filter (where {is_it} and {read} is not null)"
    taken = f"min_by({read}, {RID}){only}"
    who = f"Where {spread.name} is {kind} there are"
    return Output(name, taken), guess_disagreement(replace(value, name=name), who, taken, read, only)


def _template(name: str, kind: str, spread: Field, value: Field, keys: tuple[Field, ...]) -> Template:
    only = (spread.name, kind)
    reads = (Read(value.name, "aggregated", only=only), Read(spread.name, "filtered", only=only))
    return Template((*reads, *(Read(key.name, "grouped", only=only) for key in keys)), (name,))
