"""Hand the rows of a table to a Python table function, and observe which rows each row that it makes came from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Attributes, Build, CollectIds, ConcatenatedSeqs, Node, SameField, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, Column, Expr, alias, ref
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.step import FlaggedStep, Step, TracedStep
from whence.plan.steps.batch_map import MOST_GIVEN
from whence.plan.steps.collected_ids import group_of, member_of
from whence.plan.steps.grouped_map import MOST_ROWS, doubt_everything
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.traits import Traits

_OF_ROWS = (300, 301)
"""How Spark numbers table functions that are called row by row: rows are pickled, or sent as Arrow."""


@dataclass(frozen=True)
class TableFunction(Step):
    """`f(TABLE(t) PARTITION BY k)`: a Python table function is given the rows of a table."""

    lineage_rule = (
        "the row that, given to the function alone, made it; else the rows that it had been given so far, and for what "
        "`terminate` makes all rows of the partition: observed as the query runs"
    )
    caveat_rule = "everything is in doubt as soon as something in the input is"
    repeatable = "never"
    read_from = "Generate"
    remark = (
        "The rows behind each row of a Python table function were observed: one row where it made the same alone, else "
        "the rows of the partition that the function had been given."
    )

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="unknown",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=True,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    """Puts out each row as one struct, then what is carried past the function."""
    generator: Expr
    new_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)
    given_id: Column | None = None
    """What a row of the child carries."""
    collected_ids: Column | None = None
    """What the rows behind a new row carried, as an array."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        generator, (child,) = node.expr("generator"), inputs
        if not _takes_table(generator):
            return None
        if len(child.columns) != 1:
            raise Unreadable("a Python table function of several tables")
        if json.loads(str(generator.value))["evalType"] not in _OF_ROWS:
            raise Unreadable("a Python table function over Arrow batches")
        if child.most_rows > MOST_GIVEN:
            raise Unreadable(f"a Python table function of perhaps more than {MOST_GIVEN:,} rows")
        return cls(child, generator, tuple(expr.output for expr in node.exprs["generatorOutput"]), node.handle)

    def to_catalyst(self) -> Build:
        function: object = self.generator
        own = SameField(self.handle, "generatorOutput")
        output: object = own
        if self.given_id is not None and self.collected_ids is not None:
            function = CollectIds(self.generator, self.given_id, self.collected_ids)
            output = ConcatenatedSeqs((own, Attributes((self.collected_ids,))))
        return Build("Generate", (function, (), False, SameField(self.handle, "qualifier"), output, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        collected = () if self.collected_ids is None else (self.collected_ids,)
        return (*self.child.columns, *self.new_columns, *collected)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows * MOST_ROWS

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        if not child.carried_ids:
            return TracedStep(self._over_rows(child.step), ())
        group = group_of(child.carried_ids, context.ids)
        given = context.ids.column("member", group.column.type.removeprefix("array<").removesuffix(">"))
        rows = Project(child.step, (*map(ref, self.child.columns), alias(member_of(group), given)))
        return TracedStep(replace(self, child=rows, given_id=given, collected_ids=group.column), (group,))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        step = self._over_rows(real_rows(child))
        is_certain = child.is_certain and doubt(self.generator, child.doubts) == FALSE
        return FlaggedStep(step) if is_certain else doubt_everything(step, ids)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        uses = child.of(dict.fromkeys(self.child.columns), "computed")
        return replace(child, values={**child.values, **{column.id: uses for column in self.new_columns}})

    def influences(self) -> Influences:
        # What the function makes of a row alone shows that this row is enough, not that it looks at no other.
        return self.child.influences() | influence_of_all_rows(self.child.sources, contributors=self.child.sources)

    def _over_rows(self, rows: Step) -> TableFunction:
        """The function over rows that have more columns than it is to see."""
        return replace(self, child=Project(rows, tuple(map(ref, self.child.columns))))


def _takes_table(generator: Expr) -> bool:
    """Spark hands the rows of a TABLE argument over as structs, in a column that it calls c."""
    structs = (node for node in generator.walk() if node.kind == "column" and '"struct"' in node.type)
    return generator.name == "pythonudtf" and any(node.name == "c" for node in structs)
