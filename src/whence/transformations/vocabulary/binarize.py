"""Make columns 1 or 0."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.plan.sql_text import quoted
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, is_number
from whence.transformations.plan import TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation


class Binarize(Transformation):
    """Replace a number above the threshold by 1 and another by 0, or by 1 where a condition holds. Missing stays
    missing."""

    name = "binarize"
    title = "Binarise"
    group = "Prepare"
    pattern = "transformation"
    provenance = "a cell comes from itself, and from what else of its row a condition reads"
    parameters = (
        Parameter("columns", "mapping", "columns, each with a threshold or a condition in SQL", is_required=True),
    )
    example = {"columns": {"age": 18}}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        columns = arguments.mapping("columns")
        conditions: dict[str, str] = {}
        for name, rule in columns.items():
            column = table.column(name)
            if not isinstance(rule, str) and not is_number(column):
                raise UserError(f"{name} holds {column.type}, which is not above any number.", "Give a condition.")
            conditions[name] = rule if isinstance(rule, str) else f"{quoted(name)} > {rule}"
        reads = table.expressions(conditions)
        for name, found in reads.items():
            if found.type != "boolean":
                raise UserError(f"{conditions[name]} is no condition, it gives {found.type}.")
        templates = [
            Template((Read(name), *(Read(each) for each in found.columns if each != name)), (name,))
            for name, found in reads.items()
        ]
        phrases = [
            f"{name} (1 where {rule if isinstance(rule, str) else f'above {rule}'})" for name, rule in columns.items()
        ]
        return TransformationPlan(
            f"Binarised {'; '.join(phrases)}.",
            table.outputs(
                {name: f"cast(({condition}) as int)" for name, condition in conditions.items()},
                types=dict.fromkeys(conditions, "int"),
            ),
            tuple(templates),
            is_repeatable=all(each.is_repeatable for each in reads.values()),
        )
