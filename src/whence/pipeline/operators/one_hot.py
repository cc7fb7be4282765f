"""One column of zeros and ones for each value."""

from __future__ import annotations

from collections.abc import Sequence

from whence.model.errors import UserError
from whence.model.schema import Field
from whence.pipeline.applied import Applied
from whence.pipeline.given import Given, listed
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Template
from whence.plan.sql_text import quoted, text

_MOST = 10_000


class OneHot(Operator):
    """For each value of a column a new column `column_value` that is 1 where the row holds it, else 0; a missing
    value gives zeros. The column goes, unless `keep=True`."""

    name = "one_hot"
    title = "One-hot encode"
    core = "vertical augmentation"
    provenance = "a new cell comes from the cell that was encoded; which columns there are, from the whole column"

    def apply(self, given: Given, columns: str | Sequence[str], keep: bool = False) -> Applied:
        chosen = [column.name for column in given.columns(columns)]
        asked = [f"sort_array(collect_set({_as_text(given.column(name))}))" for name in chosen]
        added: dict[str, str] = {}
        templates = []
        for name, values in zip(chosen, given.learn(*asked), strict=True):
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
        gone = () if keep else chosen
        return Applied(
            f"One-hot encoded {listed(chosen)} into {len(added)} columns.",
            given.outputs(drop=gone, added=added),
            tuple(templates),
        )


def _as_text(column: Field) -> str:
    name = quoted(column.name)
    return name if column.type == "string" else f"cast({name} as string)"
