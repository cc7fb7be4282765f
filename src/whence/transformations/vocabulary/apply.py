"""Call Python on the whole table: pandas, scikit-learn or anything that takes and gives a frame."""

from __future__ import annotations

from typing import ClassVar

from whence.model.errors import InternalError
from whence.model.parameter import Parameter
from whence.model.schema import Schema
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import NewRows, TransformationPlan
from whence.transformations.template import Read, Statistic, Template
from whence.transformations.transformation import Transformation


class Apply(Transformation):
    """Call a Python function with the table, or some columns, as a pandas frame whose index names the rows, and take
    the frame it returns; an object with `fit_transform`, as of scikit-learn, works too. What it did is inferred by
    comparing."""

    name = "apply"
    title = "Apply Python to the table"
    group = "Prepare"
    pattern = "any"
    provenance = "rows are known by the index; a column that differs comes from itself and from all that was read"
    parameters = (
        Parameter(
            "function", "value", "a function of a pandas frame, or an object with fit_transform", is_required=True
        ),
        Parameter("columns", "columns", "the columns it gets; all if left open"),
    )
    example: ClassVar[dict[str, object]] = {}
    needs_python = True

    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        raise InternalError("Python is called by the chain, which has the rows.")


def python_templates(
    before: Schema, read: tuple[str, ...], called: str, changed: tuple[str, ...]
) -> TransformationPlan:
    """Return the plan of a Python step: a changed column comes from itself and from all columns that were read."""
    everything = Statistic(f"what {called} read", read)
    names = set(before.names)
    templates = tuple(Template((Read(name),) if name in names else (), (name,), (everything,)) for name in changed)
    new_rows = NewRows(drops=f"{called} did not give it back")
    return TransformationPlan(
        f"Applied {called}, which wrote {len(changed)} columns (inferred).", (), templates, new_rows=new_rows
    )
