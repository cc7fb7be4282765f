"""A step of a plan, and what the same step looks like once it carries row ids or marks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from whence.plan.catalyst import Again, Build, Kept, Node, Unreadable
from whence.plan.columnmap import ColumnMap
from whence.plan.expr import FALSE, TRUE, Column, Expr, negate, ref
from whence.plan.fresh import Fresh
from whence.plan.influence import Influences
from whence.plan.rowkey import RowKey


class Operator:
    """An operator of Spark's plan that whence has rules for.

    Most are read as a step of their own; some, such as INTERSECT, are read as several simpler ones and need no rules.
    """

    lineage_rule: ClassVar[str] = ""
    """The lineage rule in one sentence, for the operator table of the docs; empty for steps that only rules make."""

    caveat_rule: ClassVar[str] = ""
    """The caveat rule in one sentence."""

    repeatable: ClassVar[str] = "always"
    """When running it again gives the same rows: always, never, or if the order is total."""

    read_from: ClassVar[str] = ""
    """The name of the operator in Spark's plan; empty for steps that only rules make."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        """The steps that this operator is; None if it is another one's form of it; Unreadable if nobody's."""
        raise Unreadable(node.name)


@dataclass(frozen=True)
class Step(Operator, ABC):
    """One operator over its input steps: where its schema, lineage, column map and caveat rules stand side by side.

    A rule never changes a step; it returns new steps whose output has the old columns and the internal ones it adds.
    """

    @abstractmethod
    def written(self) -> Build | Kept | Again:
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
    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        """This step over inputs that carry row ids, carrying them on."""

    @abstractmethod
    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        """This step over inputs that carry marks, carrying them on."""

    @abstractmethod
    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        """Which source columns each output column reads, and in which role."""

    @property
    @abstractmethod
    def most_rows(self) -> int:
        """No more rows than this can come out."""

    drops: ClassVar[str] = ""
    """Why a row that came in does not come out, in words that follow "because"; empty where every row comes out."""

    def influences(self) -> Influences:
        """Which source rows decide about output rows without giving anything to them."""
        return frozenset().union(*(step.influences() for step in self.inputs))

    @property
    def sources(self) -> frozenset[int]:
        """The numbers of the sources it reads, directly or not."""
        own = getattr(self, "source", None)
        below = frozenset[int]().union(*(step.sources for step in self.inputs))
        return below if own is None else below | {own}

    def walk(self) -> Iterator[Step]:
        """This step and all below it, parents first."""
        yield self
        for step in self.inputs:
            yield from step.walk()


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
    members: tuple[Carried, ...]
    is_bare: bool
    reading: Expr | None = None
    """As for a single id."""


@dataclass(frozen=True)
class Span:
    """The rows that a window function read: a stretch of one partition, in the order of that window.

    The column is a struct of partition, the row's own place, and the first and last place read, from 1. What the row
    at a place carried is looked up in the rows of the window; `members` say what that is, under numbers of their own.
    """

    column: Column
    window: int
    reading: Expr
    """What is read, as the column map names it among its limits."""
    members: tuple[Carried, ...]


Carried = Rid | Group | Span


@dataclass(frozen=True)
class Traced:
    """A step whose output also carries row ids."""

    step: Step
    carried: tuple[Carried, ...]
    key: RowKey | None = None
    """What makes a row the same row in another run; the step puts out every column it reads. None: not known."""

    @property
    def id_columns(self) -> tuple[Expr, ...]:
        """The carried columns, to be projected along."""
        return tuple(ref(carried.column) for carried in self.carried)


@dataclass(frozen=True)
class Marked:
    """A step whose output also carries marks; what is missing here is certain and costs nothing.

    `cells`: column id -> flag column, True where the cell could hold another value.
    `row`: flag column, True where the row could be absent.
    `present`: flag column, False on a *ghost*: a row that is absent, but might belong. Ghosts flow along with the real
    rows, so that what a doubtful filter removed is followed exactly through joins and groups; they are dropped at the
    end and leave the row-set mark behind.
    `is_loose`: absent rows that nobody follows one by one might belong here (a stored input says so).
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
    def unflagged(self) -> tuple[Expr, ...]:
        """Every column of the step but the flags, to be projected along."""
        return tuple(ref(column) for column in self.step.columns if column not in self.flags)
