"""A step of a plan, and what the same step looks like once it carries row ids or doubt flags."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any, ClassVar, Protocol, Self

from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.plan.bounds.interval import Interval
from whence.plan.catalyst import Build, Node, SameField, SameNode, Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Uses
from whence.plan.context import RewriteContext
from whence.plan.expr import FALSE, TRUE, Column, Expr, SortKey, call, choose, holds, negate, ref
from whence.plan.grounds import Grounds, join_grounds
from whence.plan.influence import Influences
from whence.plan.rids import Rids
from whence.plan.rowkey import RowKey
from whence.plan.stored_rows import StoredRows
from whence.plan.traits import Traits


class Operator:
    """An operator of Spark's plan that whence has rules for.

    Most are read as a step of their own; some, such as INTERSECT, are read as several simpler ones and need no rules.
    """

    lineage_rule: ClassVar[str] = ""
    """The lineage rule in one sentence, for the operator table of the docs; empty for steps that only rules make."""

    caveat_rule: ClassVar[str] = ""
    """The caveat rule in one sentence."""

    repeatable: ClassVar[str]
    """When running it again gives the same rows: always, never, or if the order is total."""

    read_from: ClassVar[str] = ""
    """The name of the operator in Spark's plan; empty for steps that only rules make."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        """Return the node as steps; None if another class reads this form; raise Unreadable if no class does."""
        raise Unreadable(node.name)


@dataclass(frozen=True)
class Step(Operator, ABC):
    """One operator over its input steps: where its schema, lineage, column map and caveat rules stand side by side.

    A rule never changes a step; it returns new steps whose output has the old columns and the internal ones it adds.
    Code outside the file of a step asks for its traits, or one of the questions below; it never asks for its class.
    """

    traits: ClassVar[Traits]
    """What rules may assume of it; each step states its own, and inherits none."""

    @abstractmethod
    def to_catalyst(self) -> Build | SameField | SameNode:
        """The operator of Spark's plan this step is."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Step, ...]:
        """The steps this one reads."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns of its output."""

    @abstractmethod
    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        """This step over inputs that carry row ids, carrying them on."""

    @abstractmethod
    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        """This step over inputs that carry flags, carrying them on."""

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep | None:
        """This step over inputs that carry flags and ranges, carrying both on; None if it has no rule for ranges."""
        return None

    @abstractmethod
    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        """Which source columns each output column reads, and in which role."""

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        """What its columns stand on; a column that is the column of an input stands on what that does."""
        return join_grounds(self.columns, inputs)

    @property
    @abstractmethod
    def most_rows(self) -> int:
        """No more rows than this can come out."""

    drops: ClassVar[str] = ""
    """Why a row that came in does not come out, in words that follow "because"; empty where every row comes out."""

    remark: ClassVar[str] = ""
    """What the strategy text of a plan with this step says about it."""

    def influences(self) -> Influences:
        """Which source rows decide about output rows without giving anything to them."""
        return frozenset().union(*(step.influences() for step in self.inputs))

    @property
    def sources(self) -> frozenset[int]:
        """The numbers of the sources it reads, directly or not."""
        own = getattr(self, "source", None)
        below = frozenset[int]().union(*(step.sources for step in self.inputs))
        return below if own is None else below | {own}

    @property
    def runs_in_rounds(self) -> bool:
        """It reads the rows of a recursion, so Spark runs it round by round and refuses groups and windows in it."""
        return any(step.runs_in_rounds for step in self.inputs)

    def walk(self) -> Iterator[Step]:
        """This step and all below it, parents first."""
        yield self
        for step in self.inputs:
            yield from step.walk()

    def with_inputs(self, *inputs: Step) -> Self:
        """The same operator over other inputs; fields that hold steps stand in the order of `inputs`."""
        rest = iter(inputs)
        changed: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Step):
                changed[each.name] = next(rest)
            elif isinstance(value, tuple) and value and all(isinstance(item, Step) for item in value):
                changed[each.name] = tuple(islice(rest, len(value)))
        return replace(self, **changed)

    @property
    def stored_rows(self) -> StoredRows | None:
        """The dataset whose rows it reads; None for a step that reads other steps."""
        return None

    @property
    def projection(self) -> tuple[Expr, ...] | None:
        """The expressions whose values it puts out for each row; None where it is no projection."""
        return None

    @property
    def row_number(self) -> Column | None:
        """The column with the row numbers that it adds to its input rows; None where it adds none."""
        return None

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int] | None:
        """The columns of its inputs that it needs to put out these, by their ids; None where it needs all."""
        return None

    def without_columns(self, dead: frozenset[int]) -> Step:
        """The step without columns, by their ids, that nothing above it reads; those that it only hands on stay."""
        return self

    @property
    def group_by(self) -> GroupBy | None:
        """The groups it computes aggregates of; None where it computes none."""
        return None

    @property
    def deferrable(self) -> GroupBy | None:
        """The group-by whose lineage may be captured after its rows are there; None where it is none."""
        return None

    @property
    def row_order(self) -> tuple[SortKey, ...]:
        """The keys in whose order all its rows come out; empty where they have none."""
        return ()

    def with_order_shown(self) -> Step | None:
        """The step with the columns of its row order among its own; None where its rows come in no order."""
        return self if self.row_order else None

    @property
    def row_limit(self) -> int | None:
        """How many rows it lets through; None where it lets through any number."""
        return None

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """What a row has to meet to come out."""
        return ()

    def restate_below(self, expr: Expr) -> Expr:
        """An expression over its output, stated over its input."""
        return expr

    def decisions(self) -> Iterator[tuple[Expr, Uses]]:
        """For each window or subquery reading of this step, by name, the uses that decide which rows it reads."""
        return iter(())

    def on_chosen_rows(self, chosen: Mapping[int, Rids]) -> Step:
        """Return the step for a run on chosen rows of some sources; OFFSET and samples leave none of them out again."""
        return self

    def with_most_pairs(self, most_pairs: MostPairs) -> Step:
        """The step, which knows how many pairs of rows it gives at most if it makes any."""
        return self

    def with_doubts(self, doubt_of: Callable[[DatasetId], Doubt]) -> Step:
        """The step over the doubts that its dataset has now."""
        return self

    def with_ranges(self, ranged: Callable[[DatasetId], RangedColumns]) -> Step:
        """The step over the ranges that are stored with its dataset: those of these columns."""
        return self

    @property
    def has_ranges(self) -> bool:
        """The step reads ranges that are stored with a dataset."""
        return False

    def over_versions(self, versions: Mapping[DatasetId, tuple[DatasetId, int]]) -> Step:
        """The step over other versions of its dataset, each given by its id and its number of rows."""
        return self

    def over_rows(self, folders: Mapping[DatasetId, str]) -> Step:
        """The step over other rows of its dataset than those that are stored, which lie in these folders."""
        return self

    def without_copies(self) -> Step:
        """Return the step without the copies that `Spawn` makes below it; for those who drop ghosts anyway."""
        if self.traits.row_depends_on != "row" or len(self.inputs) != 1:
            return self
        return self.with_inputs(*(step.without_copies() for step in self.inputs))

    @property
    def can_carry_columns(self) -> bool:
        """Each row of its input comes out, so that it can show more columns of it."""
        return False

    def with_carried_columns(self, child: Step, carried: tuple[Expr, ...], added: tuple[Expr, ...]) -> Step:
        """The step over a child with more columns, showing these (`carried`), and others computed from it (`added`)."""
        raise NotImplementedError(type(self).__name__)


class GroupBy(Protocol):
    """Groups of rows with one row for each."""

    @property
    def child(self) -> Step:
        """The rows that are grouped."""

    @property
    def keys(self) -> tuple[Expr, ...]:
        """What the rows of a group are equal in."""

    @property
    def outputs(self) -> tuple[Expr, ...]:
        """What comes out for each group."""

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        """The group-by over inputs that carry row ids, carrying them on."""

    def with_limited_sources(self, child: TracedStep, context: RewriteContext) -> TracedStep:
        """The input carrying its ids once more for each FILTER clause, where the clause holds."""


@dataclass(frozen=True)
class Rid:
    """One row id of one source (a leaf of the plan); NULL where that side took no part."""

    source: int
    column: Column
    reading: Expr | None = None
    """What a subquery read it for, as the column map names it among its limits; None for what the row itself is of."""


@dataclass(frozen=True)
class Group:
    """The ids of all rows of a group, as an array of what each row carried.

    `is_bare`: the array holds the ids themselves, because each row carried just one that is never NULL.
    """

    column: Column
    members: tuple[CarriedIds, ...]
    is_bare: bool
    reading: Expr | None = None
    """As in `Rid`."""


@dataclass(frozen=True)
class Span:
    """The rows that a window function read, or a group was made of: a stretch of one partition, in its order.

    The column is a struct of partition, the row's own place, and the first and last place read, from 1. What the row
    at a place carried is looked up in the rows of the window; `members` say what that is, under numbers of their own.
    """

    column: Column
    window: int
    reading: Expr | None
    """As in `Rid`."""
    members: tuple[CarriedIds, ...]


MostPairs = Callable[[Step, Step, Expr], int]
"""A bound of the pairs of rows of two steps that meet a condition."""

CarriedIds = Rid | Group | Span


@dataclass(frozen=True)
class TracedStep:
    """A step whose output also carries row ids."""

    step: Step
    carried_ids: tuple[CarriedIds, ...]
    key: RowKey | None = None
    """What makes a row the same row in another run; the step puts out every column it reads. None: not known."""

    @property
    def id_columns(self) -> tuple[Expr, ...]:
        """The carried columns, to be projected along."""
        return tuple(ref(carried.column) for carried in self.carried_ids)


@dataclass(frozen=True)
class FlaggedStep:
    """A step whose output also carries doubt flags; what is missing here is certain and costs nothing.

    `cells`: column id -> flag column, True where the cell could hold another value.
    `row`: flag column, True where the row could be absent.
    `present`: flag column, False on a *ghost*: a row that is absent, but might belong. Ghosts flow along with the real
    rows, so that what a doubtful filter removed is followed exactly through joins and groups; they are dropped at the
    end and leave the row-set flag behind.
    `is_loose`: absent rows that are not followed as ghosts might belong here (a stored input says so).
    """

    step: Step
    cells: Mapping[int, Column] = field(default_factory=dict)
    row: Column | None = None
    present: Column | None = None
    is_loose: bool = False

    @property
    def is_row_doubtful(self) -> Expr:
        """The row could be absent."""
        return FALSE if self.row is None else ref(self.row)

    @property
    def is_present(self) -> Expr:
        """The row is really there."""
        return TRUE if self.present is None else ref(self.present)

    @property
    def is_ghost(self) -> Expr:
        """The row is absent but might belong."""
        return negate(self.is_present)

    @property
    def doubts(self) -> dict[int, Expr]:
        """Column id -> its flag, to compute the doubt of expressions."""
        return {column: ref(flag) for column, flag in self.cells.items()}

    @property
    def is_certain(self) -> bool:
        """Nothing here is in doubt."""
        return not (self.cells or self.rows_vary or self.is_loose)

    @property
    def rows_vary(self) -> bool:
        """Rows that are followed may come or go."""
        return self.row is not None or self.present is not None

    @property
    def flags(self) -> frozenset[Column]:
        """All flag columns."""
        own = (flag for flag in (self.row, self.present) if flag is not None)
        return frozenset((*self.cells.values(), *own))

    @property
    def data_columns(self) -> tuple[Expr, ...]:
        """Every column of the step but the flags, to be projected along."""
        return tuple(ref(column) for column in self.step.columns if column not in self.flags)


@dataclass(frozen=True)
class RangedColumns:
    """The columns of a dataset with ranges, and those of them in which no cell in doubt may be NULL."""

    names: frozenset[str] = frozenset()
    never_missing: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Range:
    """The columns that say between which values the cells of a column lie, where they are in doubt.

    An end that is NULL is not known. `missing`: the cell may be NULL.
    """

    low: Column
    high: Column
    missing: Column
    is_never_missing: bool = field(default=False, kw_only=True)
    """A cell that is not NULL is NULL in no world, and one that is NULL is NULL in all."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All three."""
        return (self.low, self.high, self.missing)


@dataclass(frozen=True)
class BoundedStep:
    """A step with doubt flags whose output also carries the ranges of cells.

    `ranges`: column id -> its range. `reasons`: column id -> why cells of it that are in doubt have none.
    `has_fewer_doubts`: ranges settle which rows there are, so the flags may be fewer than those of `with_flags`.
    `settles_rows`: a step above may have fewer doubts than with flags alone, because ranges say so.
    """

    flagged: FlaggedStep
    ranges: Mapping[int, Range] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)
    has_fewer_doubts: bool = False
    settles_rows: bool = True

    def intervals(self) -> dict[int, Interval]:
        """The ranges as expressions over its output."""
        return {column.id: self._interval(column) for column in self.flagged.step.columns if column.id in self.ranges}

    def _interval(self, column: Column) -> Interval:
        own, in_doubt = self.ranges[column.id], self.flagged.doubts.get(column.id, FALSE)
        low, high = (choose(in_doubt, ref(end), ref(column)) for end in (own.low, own.high))
        missing = call("isnull", ref(column))
        if not own.is_never_missing:
            missing = choose(in_doubt, holds(ref(own.missing)), missing)
        return Interval(low, high, missing, in_doubt, column.type, is_never_missing=own.is_never_missing)

    @classmethod
    def handing_on(cls, inputs: tuple[BoundedStep, ...], flagged: FlaggedStep) -> BoundedStep:
        """A step that hands on the cells of its inputs: their ranges hold as long as it puts them out."""
        out = set(flagged.step.columns)
        ranges = {column: each for given in inputs for column, each in given.ranges.items()}
        reasons = {column: why for given in inputs for column, why in given.reasons.items()}
        return cls(flagged, {column: each for column, each in ranges.items() if out.issuperset(each.columns)}, reasons)
