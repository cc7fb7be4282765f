"""Add rows: given ones, or one that sums up each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Generate(Transformation):
    """Add rows after the others: one for each group of `by`, with aggregates in the columns of `values` and nothing
    elsewhere, or the given `rows`."""

    name = "generate"
    title = "Generate rows"
    group = "Prepare"
    pattern = "horizontal augmentation"
    provenance = "a summary cell comes from the cells of the group that its aggregate reads; a given row from nothing"
    parameters = (
        Parameter("by", "columns", "a new row for each group of these"),
        Parameter("values", "mapping", "columns of the new rows, each with an aggregate in SQL"),
        Parameter("rows", "entries", "or the rows themselves"),
    )
    example = {"by": ["shop"], "values": {"price": "avg(price)"}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        values, rows = arguments.expressions("values"), arguments.entries("rows")
        if bool(values) == bool(rows):
            raise UserError("generate needs values (an aggregate for each column) or rows.")
        own = ", ".join(quoted(name) for name in table.schema.names)
        if rows:
            return _given_rows(table, own, rows)
        keys = arguments.names("by")
        made = {table.column(name).name: sql for name, sql in values.items()}
        cells = ", ".join(
            quoted(field.name) if field.name in keys
            else f"cast({made.get(field.name, 'null')} as {field.type}) as {quoted(field.name)}"
            for field in table.schema
        )  # fmt: skip
        by_keys = ", ".join(map(quoted, keys))
        grouped = f" group by {by_keys} order by {by_keys}" if keys else ""
        query = f"select {own} from {{input}} union all select * from (select {cells} from {{input}}{grouped})"
        templates = [Template((Read(key, "grouped"),), (key,)) for key in keys]
        for name, found in zip(made, table.analyse(list(made.values())), strict=True):
            reads = tuple(Read(each, "aggregated") for each in found.columns)
            templates.append(Template((*reads, *(Read(key, "grouped") for key in keys)), (name,)))
        phrases = ", ".join(f"{name} = {sql}" for name, sql in made.items())
        where = f" by {join_names(keys)}" if keys else ""
        empty = [name for name in table.schema.names if name not in keys and name not in made]
        templates += [Template((), (name,)) for name in empty]
        return TransformationPlan(
            f"Added a row{where} with {phrases}.",
            table.outputs(),
            tuple(templates),
            new_rows=NewRows(query, mentions=2, adds=True),
        )


def _given_rows(table: InputTable, own: str, rows: Sequence[Mapping[str, object]]) -> TransformationPlan:
    for row in rows:
        for name in row:
            table.column(name)
    made = " union all ".join(
        "select "
        + ", ".join(f"{typed(row.get(field.name), field.type)} as {quoted(field.name)}" for field in table.schema)
        for row in rows
    )
    query = f"select {own} from {{input}} union all {made}"
    templates = tuple(Template((), (name,)) for name in table.schema.names)
    return TransformationPlan(
        f"Added {len(rows)} given rows.", table.outputs(), templates, new_rows=NewRows(query, adds=True)
    )
