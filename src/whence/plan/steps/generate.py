"""Make several rows out of one: an element of an array, an entry of a map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Attributes, Build, Joined, Kept, Node
from whence.plan.columnmap import ColumnMap
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, Column, Expr, any_of, call
from whence.plan.flags import Flags
from whence.plan.fresh import Fresh
from whence.plan.rowkey import Values, together
from whence.plan.step import Marked, Step, Traced
from whence.plan.steps.project import Project

_MOST_ELEMENTS = 1_000
"""How many rows one row is taken to make when sizes are estimated; nothing is ever cut at this."""


@dataclass(frozen=True)
class Generate(Step):
    """explode and its kin, LATERAL VIEW."""

    lineage_rule = "the row that was taken apart"
    caveat_rule = "what is made from a doubtful value is in doubt, row and cells, and rows might be missing"
    read_from = "Generate"

    child: Step
    generator: Expr
    made: tuple[Column, ...]
    is_outer: bool
    handle: object = field(default=None, compare=False, repr=False)
    place: Column | None = None
    """Where the number of the element is put out as well."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        made = tuple(expr.output for expr in node.exprs["generatorOutput"])
        return cls(inputs[0], node.expr("generator"), made, bool(node.values["outer"]), node.handle)

    def written(self) -> Build:
        qualifier, made = Kept(self.handle, "qualifier"), Kept(self.handle, "generatorOutput")
        if self.place is None:
            return Build("Generate", (self.generator, (), self.is_outer, qualifier, made, self.child))
        placed = Joined((Attributes((self.place,)), made))
        generator = call("posexplode", *self.generator.args)
        return Build("Generate", (generator, (), self.is_outer, qualifier, placed, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        place = () if self.place is None else (self.place,)
        return (*self.child.columns, *place, *self.made)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows * _MOST_ELEMENTS

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        (child,) = inputs
        place = fresh.column("place", "int", nullable=True) if self.generator.name == "explode" else None
        step = replace(self, child=child.step, place=place)
        return Traced(step, child.carried, together(child.key, Values(self._told_apart_by(place))))

    def _told_apart_by(self, place: Column | None) -> tuple[Column, ...]:
        """The number of the element, where there is one; else what was made of it."""
        if place is not None:
            return (place,)
        return self.made[:1] if self.generator.name == "posexplode" else self.made

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        (child,) = inputs
        generated = replace(self, child=child.step)
        doubtful = doubt(self.generator, child.doubts)
        if doubtful == FALSE:
            return replace(child, step=generated)
        flags = Flags(fresh)
        cells = flags.cells({**child.doubts, **{column.id: doubtful for column in self.made}})
        row = flags.flag(any_of(child.is_row_doubtful, doubtful), "row")
        present = flags.present(child.is_present)
        data = tuple(Expr("column", name=c.name, column=c) for c in generated.columns if c not in child.flags)
        return Marked(Project(generated, (*data, *flags.exprs)), cells, row, present, is_loose=True)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        uses = child.reads([self.generator], "computed")
        return replace(child, values={**child.values, **{column.id: uses for column in self.made}})
