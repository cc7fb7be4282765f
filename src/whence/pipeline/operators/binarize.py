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
        changed, templates, said, repeatable = {}, [], [], True
        for name, rule in columns.items():
            column = given.column(name)
            if not isinstance(rule, str) and not is_number(column):
                raise UserError(f"{name} holds {column.type}, which is not above any number.", "Give a condition.")
            condition = rule if isinstance(rule, str) else f"{quoted(name)} > {rule}"
            reads = given.expression(condition, name)
            if reads.type != "boolean":
                raise UserError(f"{condition} is no condition, it gives {reads.type}.")
            changed[name] = f"cast(({condition}) as int)"
            others = [Read(each) for each in reads.columns if each != name]
            templates.append(Template((Read(name), *others), (name,)))
            said.append(f"{name} (1 where {condition if isinstance(rule, str) else f'above {rule}'})")
            repeatable = repeatable and reads.is_repeatable
        return Applied(
            f"Binarised {'; '.join(said)}.", given.outputs(changed), tuple(templates), is_repeatable=repeatable
        )
