"""Add rows: given ones, or one that sums up each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, typed
from whence.transformations.applied import Applied, Whole
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Generate(Transformation):
    """With `by` and `values`, one new row for each group: the group's values, each value an aggregate over its rows,
    missing elsewhere. With `rows`, these rows. New rows come after the others."""

    name = "generate"
    title = "Generate rows"
    group = "Prepare"
    core = "horizontal augmentation"
    provenance = "a summary cell comes from the cells of the group that its aggregate reads; a given row from nothing"
    parameters = (
        Parameter("by", "columns", "a new row for each group of these"),
        Parameter("values", "mapping", "columns of the new rows, each with an aggregate in SQL"),
        Parameter("rows", "entries", "or the rows themselves"),
    )
    example = {"by": ["shop"], "values": {"price": "avg(price)"}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        values, rows = chosen.expressions("values"), chosen.entries("rows")
        if bool(values) == bool(rows):
            raise UserError("generate needs values (an aggregate for each column) or rows.")
        own = ", ".join(quoted(name) for name in given.schema.names)
        if rows:
            return _given_rows(given, own, rows)
        keys = chosen.names("by")
        made = {given.column(name).name: sql for name, sql in values.items()}
        cells = ", ".join(
            quoted(field.name) if field.name in keys
            else f"cast({made.get(field.name, 'null')} as {field.type}) as {quoted(field.name)}"
            for field in given.schema
        )  # fmt: skip
        by_keys = ", ".join(map(quoted, keys))
        grouped = f" group by {by_keys} order by {by_keys}" if keys else ""
        query = f"select {own} from {{given}} union all select * from (select {cells} from {{given}}{grouped})"
        templates = [Template((Read(key, "grouped"),), (key,)) for key in keys]
        for name, found in zip(made, given.analyse(list(made.values())), strict=True):
            reads = tuple(Read(each, "aggregated") for each in found.columns)
            templates.append(Template((*reads, *(Read(key, "grouped") for key in keys)), (name,)))
        said = ", ".join(f"{name} = {sql}" for name, sql in made.items())
        where = f" by {listed(keys)}" if keys else ""
        empty = [name for name in given.schema.names if name not in keys and name not in made]
        templates += [Template((), (name,)) for name in empty]
        return Applied(
            f"Added a row{where} with {said}.",
            given.outputs(),
            tuple(templates),
            whole=Whole(query, mentions=2, adds=True),
        )


def _given_rows(given: Given, own: str, rows: Sequence[Mapping[str, object]]) -> Applied:
    for row in rows:
        for name in row:
            given.column(name)
    made = " union all ".join(
        "select "
        + ", ".join(f"{typed(row.get(field.name), field.type)} as {quoted(field.name)}" for field in given.schema)
        for row in rows
    )
    query = f"select {own} from {{given}} union all {made}"
    templates = tuple(Template((), (name,)) for name in given.schema.names)
    return Applied(f"Added {len(rows)} given rows.", given.outputs(), templates, whole=Whole(query, adds=True))
