"""Make a column of zeros and ones for each value of a column."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted, text
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable, join_names
from whence.transformations.plan import TransformationPlan
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_MOST = 10_000


class OneHot(Transformation):
    """Add a column `column_value` for each value of a column, 1 where the row holds the value and 0 elsewhere; a
    missing value gives zeros. The column goes, unless `keep=True`."""

    name = "one_hot"
    title = "One-hot encode"
    group = "Prepare"
    pattern = "vertical augmentation"
    provenance = "a new cell comes from the cell that was encoded; which columns there are, from the whole column"
    parameters = (
        Parameter("columns", "columns", "the columns to encode", is_required=True),
        Parameter("keep", "flag", "whether the columns themselves stay", False),
    )
    example = {"columns": ["colour"]}

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        names, keep = arguments.names("columns"), arguments.flag("keep")
        asked = [f"sort_array(collect_set({_as_text(table.column(name))}))" for name in names]
        added: dict[str, str] = {}
        templates = []
        for name, values in zip(names, table.learn(*asked), strict=True):
            kinds = [str(value) for value in values] if isinstance(values, list) else []
            if len(kinds) > _MOST:
                raise UserError(f"{name} has {len(kinds):,} values, too many for a column each.")
            made = [table.new_name(f"{name}_{kind}", added) for kind in kinds]
            new = {
                new: f"coalesce(cast({_as_text(table.column(name))} = {text(kind)} as int), 0)"
                for new, kind in zip(made, kinds, strict=True)
            }
            if len(new) < len(made):
                raise UserError(f"Two values of {name} give columns of the same name.", "Rename values first.")
            added |= new
            templates.append(Template((Read(name),), tuple(made)))
        gone = () if keep else names
        return TransformationPlan(
            f"One-hot encoded {join_names(names)} into {len(added)} columns.",
            table.outputs(drop=gone, added=added),
            tuple(templates),
        )


def _as_text(column: Field) -> str:
    name = quoted(column.name)
    return name if column.type == "string" else f"cast({name} as string)"
