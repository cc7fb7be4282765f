"""Groups of which Spark chooses one row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.expr import aggregate, alias, ref
from whence.plan.fresh import Fresh
from whence.plan.influence import Influences, whole
from whence.plan.rowkey import Values
from whence.plan.step import Step, Traced
from whence.plan.steps.aggregate import Aggregate


@dataclass(frozen=True)
class ChosenRows(Aggregate):
    """A group-by whose outputs are all `first`: they see the rows in one order, so they are of one row."""

    drops = "another row of its set was chosen"

    def influences(self) -> Influences:
        return super().influences() | whole(self.child.sources, beside=self.child.sources)

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        (child,) = inputs
        columns = [fresh.column("chosen", each.column.type, nullable=True) for each in child.carried]
        pairs = list(zip(child.carried, columns, strict=True))
        ids = tuple(alias(aggregate("first", ref(old.column)), new) for old, new in pairs)
        step: Step = replace(self, child=child.step, outputs=(*self.outputs, *ids))
        carried = tuple(replace(old, column=new) for old, new in pairs)
        return Traced(step, carried, Values(tuple(key.output for key in self.keys)))
