"""Make columns 1 or 0."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, is_number
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Binarize(Transformation):
    """A number above the threshold becomes 1, another 0; instead of a threshold a condition may be given. Missing
    stays missing."""

    name = "binarize"
    title = "Binarise"
    group = "Prepare"
    core = "transformation"
    provenance = "a cell comes from itself, and from what else of its row a condition reads"
    parameters = (
        Parameter("columns", "mapping", "columns, each with a threshold or a condition in SQL", is_required=True),
    )
    example = {"columns": {"age": 18}}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        columns = chosen.mapping("columns")
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
