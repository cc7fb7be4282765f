"""Call Python on the whole table: pandas, scikit-learn or anything that takes and gives a frame."""

from __future__ import annotations

from whence.model.errors import InternalError
from whence.model.schema import Schema
from whence.pipeline.applied import Applied, Whole
from whence.pipeline.given import Given
from whence.pipeline.operator import Operator
from whence.pipeline.template import Read, Statistic, Template


class Apply(Operator):
    """A Python function gets the table (or some columns) as a pandas frame whose index names the rows, and gives one
    back; an object with `fit_transform`, as of scikit-learn, works too. What it did is inferred by comparing."""

    name = "apply"
    title = "Apply Python to the table"
    core = "any"
    provenance = "rows are known by the index; a column that differs comes from itself and from all that was read"

    def apply(self, given: Given) -> Applied:
        raise InternalError("Python is called by the chain, which has the rows.")


def python_templates(before: Schema, read: tuple[str, ...], called: str, changed: tuple[str, ...]) -> Applied:
    """What the comparison found."""
    everything = Statistic(f"what {called} read", read)
    names = set(before.names)
    templates = tuple(Template((Read(name),) if name in names else (), (name,), (everything,)) for name in changed)
    whole = Whole(drops=f"{called} did not give it back")
    return Applied(f"Applied {called}, which wrote {len(changed)} columns (inferred).", (), templates, whole=whole)
