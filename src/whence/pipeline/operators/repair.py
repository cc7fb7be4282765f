"""Replace wrong values by right ones, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted, text, typed


class Repair(Operator):
    """Values become others, or nothing: in the columns named, or in all that can hold such a value."""

    name = "repair"
    title = "Repair values"
    core = "transformation"
    provenance = "a repaired cell comes from itself"

    def apply(
        self, given: Given, values: Mapping[object, object], columns: str | Sequence[str] | None = None
    ) -> Applied:
        if not values:
            raise UserError("repair needs values.", 'For example: repair({"?": None}).')
        chosen = given.columns(columns)
        if columns is None and any(isinstance(value, str) for value in values):
            chosen = [column for column in chosen if column.type == "string"]
        changed: dict[str, str] = {}
        for column in chosen:
            name = quoted(column.name)
            cases = " ".join(
                f"when {name} <=> try_cast({text(str(old))} as {column.type}) then {typed(new, column.type)}"
                if old is not None
                else f"when {name} is null then {typed(new, column.type)}"
                for old, new in values.items()
                if old is None or _can_be(given, old, column.type)
            )
            if cases:
                changed[column.name] = f"case {cases} else {name} end"
        said = ", ".join(f"{old} by {'nothing' if new is None else new}" for old, new in values.items())
        templates = tuple(Template((Read(name),), (name,)) for name in changed)
        return Applied(
            f"Replaced {said} in {listed(changed)}.", given.outputs(changed), templates, template_reading="changed"
        )


def _can_be(given: Given, value: object, kind: str) -> bool:
    """A value the type cannot hold stands nowhere in the column; NULL from the cast would match missing cells."""
    if kind == "string":
        return True
    (row,) = given.ask(f"select try_cast({text(str(value))} as {kind}) is not null as fits")
    return bool(row["fits"])
