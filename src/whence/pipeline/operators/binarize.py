"""Make columns 1 or 0."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.errors import UserError
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, is_number
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted


class Binarize(Operator):
    """A number above the threshold becomes 1, another 0; instead of a threshold a condition may be given. Missing
    stays missing."""

    name = "binarize"
    title = "Binarise"
    core = "transformation"
    provenance = "a cell comes from itself, and from what else of its row a condition reads"

    def apply(self, given: Given, columns: Mapping[str, float | str]) -> Applied:
        conditions: dict[str, str] = {}
        for name, rule in columns.items():
            column = given.column(name)
            if not isinstance(rule, str) and not is_number(column):
                raise UserError(f"{name} holds {column.type}, which is not above any number.", "Give a condition.")
            conditions[name] = rule if isinstance(rule, str) else f"{quoted(name)} > {rule}"
        reads = given.expressions(conditions)
        for name, found in reads.items():
            if found.type != "boolean":
                raise UserError(f"{conditions[name]} is no condition, it gives {found.type}.")
        templates = [
            Template((Read(name), *(Read(each) for each in found.columns if each != name)), (name,))
            for name, found in reads.items()
        ]
        said = [
            f"{name} (1 where {rule if isinstance(rule, str) else f'above {rule}'})" for name, rule in columns.items()
        ]
        return Applied(
            f"Binarised {'; '.join(said)}.",
            given.outputs(
                {name: f"cast(({condition}) as int)" for name, condition in conditions.items()},
                types=dict.fromkeys(conditions, "int"),
            ),
            tuple(templates),
            is_repeatable=all(each.is_repeatable for each in reads.values()),
        )
