"""Replace wrong values by right ones, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted, text, typed
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Repair(Transformation):
    """Values become others, or nothing: in the columns named, or in all that can hold such a value."""

    name = "repair"
    title = "Repair values"
    group = "Clean"
    core = "transformation"
    provenance = "a repaired cell comes from itself"
    parameters = (
        Parameter("values", "mapping", "old values and new", is_required=True),
        Parameter("columns", "columns", "where to look; everywhere if left open"),
    )
    example = {"values": {"?": None}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        values = cast("Mapping[object, object]", chosen.value("values"))
        columns = chosen.columns("columns")
        if not columns and any(isinstance(value, str) for value in values):
            columns = tuple(column for column in given.schema if column.type == "string")
        changed: dict[str, str] = {}
        for column in columns or given.schema:
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
