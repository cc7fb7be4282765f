"""Make several rows out of one: an element of an array, an entry of a map."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Attributes, Build, ConcatenatedSeqs, Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, Column, Expr, alias, any_of, call, field_of, literal, ref
from whence.plan.expr_grounds import add_columns
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.rowkey import ValueKey, combine_keys
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.project import Project
from whence.plan.traits import Traits

_MOST_ELEMENTS = 1_000
"""How many rows one row is taken to make when sizes are estimated; nothing is ever cut at this."""


@dataclass(frozen=True)
class Generate(Step):
    """explode and its kin, LATERAL VIEW."""

    lineage_rule = "the row that was taken apart"
    caveat_rule = "what is made from a doubtful value is in doubt, row and cells, and rows might be missing"
    repeatable = "always"
    read_from = "Generate"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="any rows",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    generator: Expr
    new_columns: tuple[Column, ...]
    is_outer: bool
    handle: object = field(default=None, compare=False, repr=False)
    place: Column | None = None
    """Where the number of the element is put out as well, before what is made."""
    element: Column | None = None
    """What is made, where it is not what Spark's plan says."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        made, generator = tuple(expr.output for expr in node.exprs["generatorOutput"]), node.expr("generator")
        return cls(inputs[0], generator, made, bool(node.values["outer"]), node.handle)

    def to_catalyst(self) -> Build:
        qualifier, made = SameField(self.handle, "qualifier"), SameField(self.handle, "generatorOutput")
        output: object = made
        if self.place is not None:
            if self.element is None:
                output = ConcatenatedSeqs((Attributes((self.place,)), made))
            else:
                output = Attributes((self.place, self.element), elements_of=self.generator.args[0])
        return Build("Generate", (self.generator, (), self.is_outer, qualifier, output, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        place = () if self.place is None else (self.place,)
        return (*self.child.columns, *place, *self.new_columns)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows * _MOST_ELEMENTS

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        step = replace(self, child=child.step)
        if self.generator.name == "posexplode":
            return TracedStep(step, child.carried_ids, combine_keys(child.key, ValueKey(self.new_columns[:1])))
        place = context.ids.column("place", "int", nullable=True)
        numbered = _number_elements(step, place, context.ids)
        told_apart_by = self.new_columns if numbered is None else (place,)
        return TracedStep(numbered or step, child.carried_ids, combine_keys(child.key, ValueKey(told_apart_by)))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        generated = replace(self, child=child.step)
        doubtful = doubt(self.generator, child.doubts)
        if doubtful == FALSE:
            return replace(child, step=generated)
        flags = Flags(ids)
        cells = flags.cells({**child.doubts, **{column.id: doubtful for column in self.new_columns}})
        row = flags.flag(any_of(child.is_row_doubtful, doubtful), "row")
        present = flags.present(child.is_present)
        data = tuple(Expr("column", name=c.name, column=c) for c in generated.columns if c not in child.flags)
        return FlaggedStep(Project(generated, (*data, *flags.exprs)), cells, row, present, is_loose=True)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        uses = child.reads([self.generator], "computed")
        return replace(child, values={**child.values, **{column.id: uses for column in self.new_columns}})

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        made = tuple(alias(self.generator, column) for column in self.new_columns)
        return add_columns(made, inputs[0])


def _number_elements(step: Generate, place: Column, ids: ColumnIdAllocator) -> Step | None:
    """The same rows, each with the number of its element; None where no function of Spark's counts."""
    args = step.generator.args
    match step.generator.name:
        case "explode":
            return replace(step, generator=call("posexplode", *args), place=place)
        case "inline":
            element = ids.column("element", "struct", nullable=True)
            apart = replace(
                step, generator=call("posexplode", *args), place=place, element=element, new_columns=(element,)
            )
            shown = (alias(field_of(ref(element), number), column) for number, column in enumerate(step.new_columns))
            return Project(apart, (*map(ref, step.child.columns), ref(place), *shown))
        case "stack" if isinstance(args[0].value, int):
            width = len(step.new_columns)
            rows = (args[1 + number * width : 1 + (number + 1) * width] for number in range(args[0].value))
            counted = [(literal(number, "int"), *_pad_row(row, step.new_columns)) for number, row in enumerate(rows)]
            return replace(
                step, generator=call("stack", args[0], *(arg for row in counted for arg in row)), place=place
            )
    return None


def _pad_row(row: tuple[Expr, ...], made: tuple[Column, ...]) -> tuple[Expr, ...]:
    """`stack` leaves the end of its last row out where nothing is given for it."""
    return (*row, *(Expr("literal", type=column.type) for column in made[len(row) :]))
