"""Add columns of another dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import unique_names
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import NewRows, Output, TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_HOW = {
    "inner": "inner", "left": "left outer", "right": "right outer", "full": "full outer", "semi": "left semi",
    "anti": "left anti", "cross": "cross",
}  # fmt: skip
_ONE_SIDED = ("semi", "anti")


class Join(Transformation):
    """Put rows together with the rows of another dataset that are equal in the columns `on`, or for which a condition
    holds. A row with one match stays the same record, further matches are new records."""

    name = "join"
    title = "Join with another dataset"
    group = "Query"
    pattern = "join"
    provenance = "cells are copies of the row's own and of the matching row's; the keys were joined"
    parameters = (
        Parameter("other", "dataset", "the dataset to join with", is_required=True),
        Parameter("on", "columns", "columns that both have and that must be equal"),
        Parameter("condition", "text", "instead, a condition in SQL that calls the two `l` and `r`"),
        Parameter("how", "choice", "which rows stay", "inner", choices=tuple(_HOW)),
    )
    example = {"other": "shops", "on": ["shop"], "how": "left"}

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        parsed = super().check(asker, values)
        has_both, has_one = parsed["on"] and parsed["condition"], parsed["on"] or parsed["condition"]
        if has_both or (parsed["how"] == "cross") == bool(has_one):
            raise UserError("A join needs either on or condition.", "A cross join needs neither.")
        return parsed

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        record, how, keys = table.find_dataset(arguments.value("other")), arguments.text("how"), arguments.names("on")
        condition = _condition(table, record, keys, arguments.maybe("condition"))
        theirs = [] if how in _ONE_SIDED else [each.name for each in record.schema if each.name not in keys]
        names = unique_names([*table.schema.names, *theirs])
        new = names[len(table.schema) :]
        own = [
            f"{_key(name, how)} as {quoted(name)}" if name in keys else f"l.{quoted(name)}"
            for name in table.schema.names
        ]
        taken = [f"r.{quoted(name)} as {quoted(as_)}" for name, as_ in zip(theirs, new, strict=True)]
        query = f"select {', '.join([*own, *taken])} from {{input}} l {_HOW[how]} join {{other0}} r{condition}"
        joined = tuple(Read(key, "joined") for key in keys)
        templates = [
            Template((Read(name, "copied", 1), *joined), (as_,)) for name, as_ in zip(theirs, new, strict=True)
        ]
        if how in ("right", "full"):
            templates += [Template((Read(key, "copied"), Read(key, "copied", 1)), (key,)) for key in keys]
        by = f"on {join_names(keys)}" if keys else f"where {arguments.maybe('condition')}" if condition else "every row"
        match = "a row" if how == "anti" else "no row"
        why = f"is equal in {join_names(keys)}" if keys else "meets the condition" if condition else "is there"
        return TransformationPlan(
            f"Joined {record.label} {by} ({how}).",
            tuple(Output(name, "") for name in names),
            tuple(templates),
            new_rows=NewRows(query, (record,), drops=f"{match} of {record.label} {why}"),
        )


def _condition(table: InputTable, record: DatasetRecord, keys: Sequence[str], condition: str | None) -> str:
    for key in keys:
        if record.schema.position(key) is None:
            raise UserError(f"{record.label} has no column {key} to join on.")
    if keys:
        return " on " + " and ".join(f"l.{quoted(key)} = r.{quoted(key)}" for key in keys)
    # The condition goes into the SQL text as it is; a server refuses what it must not run.
    return f" on {table.check_expression(condition)}" if condition else ""


def _key(name: str, how: str) -> str:
    sides = {"right": f"r.{quoted(name)}", "full": f"coalesce(l.{quoted(name)}, r.{quoted(name)})"}
    return sides.get(how, f"l.{quoted(name)}")
