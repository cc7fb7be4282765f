"""One column for each value of a column."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied, Output, Whole
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted, text

_MOST = 1_000
_SPREADABLE = ("string", "tinyint", "smallint", "int", "bigint", "boolean", "date")


class Pivot(Operator):
    """One row for each group of the index columns; for each value of `columns` a column with an aggregate of `values`
    over the rows of the group that hold it."""

    name = "pivot"
    title = "Pivot"
    core = "aggregation"
    provenance = "a cell comes from the values of the group's rows that hold its column's value"

    def apply(
        self, given: Given, index: str | Sequence[str], columns: str, values: str, aggregate: str = "sum"
    ) -> Applied:
        keys = [column.name for column in given.columns(index)]
        spread, value = given.column(columns).name, given.column(values).name
        kind = given.column(columns).type
        if kind not in _SPREADABLE:
            raise UserError(f"{spread} holds {kind}, whose values make no column names.", "Make it text first.")
        if not aggregate.isidentifier():
            raise UserError(f"{aggregate} is no aggregate function.", "For example: sum, avg, max, count.")
        given.analyse([f"{aggregate}({quoted(value)})"])  # says so if there is no such function, or it is not allowed
        (found,) = given.learn(f"sort_array(collect_set(cast({quoted(spread)} as string)))")
        kinds = [str(each) for each in found] if isinstance(found, list) else []
        if len(kinds) > _MOST:
            raise UserError(f"{spread} has {len(kinds):,} values, too many for a column each.")
        taken = {key.lower() for key in keys}
        if any(kind.lower() in taken for kind in kinds):
            raise UserError(f"A value of {spread} is also the name of an index column.", "Rename that column first.")
        cells = [
            f"{aggregate}({quoted(value)}) filter (where cast({quoted(spread)} as string) = {text(kind)}) "
            f"as {quoted(kind)}"
            for kind in kinds
        ]
        grouped = ", ".join(map(quoted, keys))
        query = f"select {', '.join([grouped, *cells])} from {{given}} group by {grouped} order by {grouped}"
        templates = [Template((Read(key, "grouped"),), (key,)) for key in keys]
        for kind in kinds:
            only = (spread, kind)
            reads = (Read(value, "aggregated", only=only), Read(spread, "filtered", only=only))
            templates.append(Template((*reads, *(Read(key, "grouped", only=only) for key in keys)), (kind,)))
        return Applied(
            f"Pivoted {spread} by {listed(keys)}: {aggregate} of {value}.",
            tuple(Output(name, "") for name in (*keys, *kinds)),
            tuple(templates),
            whole=Whole(query, continues=False, drops="it became part of a group"),
        )
