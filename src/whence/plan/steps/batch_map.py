"""Hand the rows to a Python function in batches, and observe which row each row that it makes came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Attributes, Build, CarryColumns, ConcatenatedSeqs, Node, SameField, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, ref
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.step import FlaggedStep, Operator, Step, TracedStep
from whence.plan.steps.grouped_map import MOST_ROWS, doubt_everything
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.traits import Traits

MOST_GIVEN = 100_000
"""Where the input may have more rows, the run is not spent on observing: it could end with too many in one task."""


@dataclass(frozen=True)
class BatchMap(Step):
    """`df.mapInPandas(f)` of at most 2,000 rows in a task: a Python function makes the rows."""

    lineage_rule = (
        "the row that, given to the function alone, made it: observed as the query runs; if the function makes "
        "other rows of single rows than of all, or takes more than ten seconds for them, lineage is coarse"
    )
    caveat_rule = "everything is in doubt as soon as something in the input is"
    repeatable = "never"
    read_from = "MapInPandas"
    remark = (
        "The row behind each row of a Python function over batches was observed: given that row alone, the function "
        "made the same."
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
    """Puts out what the function is given, then what is carried past it."""
    new_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)
    carried_columns: tuple[tuple[Column, Column], ...] = ()
    """What a row of the child carries, and what the rows made from it carry on."""
    operator: str = "MapInPandas"
    """Its name in Spark's plan."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> BatchMap:
        if node.values.get("isBarrier"):
            raise Unreadable("a Python function over batches whose tasks wait for each other")
        (child,) = inputs
        if child.most_rows > MOST_GIVEN:
            raise Unreadable(f"a Python function over batches of perhaps more than {MOST_GIVEN:,} rows")
        return cls(child, tuple(expr.output for expr in node.exprs["output"]), node.handle)

    def to_catalyst(self) -> Build:
        given, made = (tuple(pair[end] for pair in self.carried_columns) for end in (0, 1))
        function = CarryColumns(self.handle, (given,), (made,))
        own = SameField(self.handle, "output")
        output = ConcatenatedSeqs((own, Attributes(made))) if made else own
        settings = (SameField(self.handle, "isBarrier"), SameField(self.handle, "profile"))
        return Build(self.operator, (function, output, self.child, *settings))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.new_columns, *(made for _, made in self.carried_columns))

    @property
    def most_rows(self) -> int:
        return self.child.most_rows * MOST_ROWS

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        handed = tuple((each, replace(each, column=_anew(each.column, context.ids))) for each in child.carried_ids)
        pairs = tuple((old.column, new.column) for old, new in handed)
        return TracedStep(self._over_rows(child.step, *pairs), tuple(new for _, new in handed))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        step = self._over_rows(real_rows(child))
        return FlaggedStep(step) if child.is_certain else doubt_everything(step, ids)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        uses = child.of(dict.fromkeys(self.child.columns), "computed")
        return ColumnMap({column.id: uses for column in self.new_columns}, child.row)

    def influences(self) -> Influences:
        # What the function makes of a row alone shows that this row is enough, not that it looks at no other.
        return self.child.influences() | influence_of_all_rows(self.child.sources, contributors=self.child.sources)

    def _over_rows(self, rows: Step, *more: tuple[Column, Column]) -> BatchMap:
        """The function over rows that have more columns than it is to see."""
        laid_out = (*map(ref, self.child.columns), *(ref(given) for given, _ in more))
        return replace(self, child=Project(rows, laid_out), carried_columns=(*self.carried_columns, *more))


class BatchMapInArrow(Operator):
    """`df.mapInArrow(f)` of at most 2,000 rows in a task: the same with Arrow batches."""

    lineage_rule = BatchMap.lineage_rule
    caveat_rule = BatchMap.caveat_rule
    repeatable = "never"
    read_from = "MapInArrow"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return replace(BatchMap.read(node, inputs), operator=cls.read_from)


def _anew(column: Column, ids: ColumnIdAllocator) -> Column:
    return ids.column("observed", column.type, nullable=True)
