"""One column of zeros and ones for each value."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.model.schema import Field
from whence.plan.sql_text import quoted, text
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given, listed
from whence.transformations.template import Read, Template
from whence.transformations.transformation import Transformation

_MOST = 10_000


class OneHot(Transformation):
    """For each value of a column a new column `column_value` that is 1 where the row holds it, else 0; a missing
    value gives zeros. The column goes, unless `keep=True`."""

    name = "one_hot"
    title = "One-hot encode"
    group = "Prepare"
    core = "vertical augmentation"
    provenance = "a new cell comes from the cell that was encoded; which columns there are, from the whole column"
    parameters = (
        Parameter("columns", "columns", "the columns to encode", is_required=True),
        Parameter("keep", "flag", "whether the columns themselves stay", False),
    )
    example = {"columns": ["colour"]}

    def apply(self, given: Given, chosen: Chosen) -> Applied:
        names, keep = chosen.names("columns"), chosen.flag("keep")
        asked = [f"sort_array(collect_set({_as_text(given.column(name))}))" for name in names]
        added: dict[str, str] = {}
        templates = []
        for name, values in zip(names, given.learn(*asked), strict=True):
            kinds = [str(value) for value in values] if isinstance(values, list) else []
            if len(kinds) > _MOST:
                raise UserError(f"{name} has {len(kinds):,} values, too many for a column each.")
            made = [given.new_name(f"{name}_{kind}", added) for kind in kinds]
            new = {
                new: f"coalesce(cast({_as_text(given.column(name))} = {text(kind)} as int), 0)"
                for new, kind in zip(made, kinds, strict=True)
            }
            if len(new) < len(made):
                raise UserError(f"Two values of {name} give columns of the same name.", "Rename values first.")
            added |= new
            templates.append(Template((Read(name),), tuple(made)))
        gone = () if keep else names
        return Applied(
            f"One-hot encoded {listed(names)} into {len(added)} columns.",
            given.outputs(drop=gone, added=added),
            tuple(templates),
        )


def _as_text(column: Field) -> str:
    name = quoted(column.name)
    return name if column.type == "string" else f"cast({name} as string)"
