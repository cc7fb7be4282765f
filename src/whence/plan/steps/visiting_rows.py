"""Makes the keys of a group-by certain: a row whose key is in doubt visits each group that it might belong to.

Where it stands it might go away. To each other group whose key its own could become it comes as a ghost, with the
key of that group. So the rules for groups over certain keys bound what the groups hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.interval import NoBounds
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, all_of, any_of, call, choose, holds, negate, ref
from whence.plan.step import BoundedStep, FlaggedStep, Range, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.project import Project
from whence.plan.steps.union_all import UnionAll

MOST_VISITS = 1_000_000_000
"""More pairs of a row and a group than this are not tried."""

Group = Callable[[Step, tuple[Expr, ...], tuple[Expr, ...]], Step]
"""A group-by of rows by keys, with these outputs."""


@dataclass(frozen=True)
class VisitedGroups:
    """The rows with their visits, the keys as columns without doubt, and the keys as they were read by outputs."""

    rows: BoundedStep
    keys: tuple[Expr, ...]
    renamed: Mapping[Expr, Expr]

    def restate(self, expr: Expr) -> Expr:
        """An output of the group-by over the new keys."""
        return expr.replace(self.renamed.get)


def visit_groups(
    child: BoundedStep, keys: tuple[Expr, ...], group: Group, ids: ColumnIdAllocator
) -> VisitedGroups | None:
    """The rows below a group-by, each also in the groups that it might move to; None if there are too many pairs."""
    if child.flagged.step.most_rows**2 > MOST_VISITS:
        return None
    return _Visits(child, keys, group, ids).make()


class _Visits:
    def __init__(self, child: BoundedStep, keys: tuple[Expr, ...], group: Group, ids: ColumnIdAllocator) -> None:
        self._child = child
        self._keys = keys
        self._group = group
        self._ids = ids
        self._columns = [key.output if key.kind == "column" else ids.column("key", key.type) for key in keys]
        self._doubts = [doubt(key, child.flagged.doubts) for key in keys]

    def make(self) -> VisitedGroups:
        named = [alias(key, each) for key, each in zip(self._keys, self._columns, strict=True) if key.kind != "column"]
        flagged, moves = self._child.flagged, self._ids.flag("moves")
        before = (*map(ref, flagged.step.columns), *named, alias(any_of(*self._doubts), moves))
        keyed = Project(flagged.step, before)
        hidden = {*flagged.flags, *(each for known in self._child.ranges.values() for each in known.columns), moves}
        data = tuple(column for column in keyed.columns if column not in hidden)
        home, home_rows = self._at_home(keyed, data, moves)
        away, away_rows = self._away(keyed, data, moves)
        rows = UnionAll((home, away)).with_bounds((home_rows, away_rows), self._ids)
        renamed = {key: ref(each) for key, each in zip(self._keys, self._columns, strict=True) if key.kind != "column"}
        return VisitedGroups(rows, tuple(map(ref, self._columns)), renamed)

    def _at_home(self, keyed: Step, data: tuple[Column, ...], moves: Column) -> tuple[Step, BoundedStep]:
        """The rows where they stand: one whose key is in doubt might go away."""
        flagged, row = self._child.flagged, self._ids.flag("row")
        may_go = alias(any_of(flagged.is_row_doubtful, ref(moves)), row)
        step = Project(keyed, (*map(ref, keyed.columns), may_go))
        keys = {column.id for column in self._columns}
        cells = {column: flag for column, flag in flagged.cells.items() if column not in keys}
        rows = FlaggedStep(step, cells, row, flagged.present)
        return Project(keyed, tuple(map(ref, data))), BoundedStep(rows, self._child.ranges, self._child.reasons)

    def _away(self, keyed: Step, data: tuple[Column, ...], moves: Column) -> tuple[Step, BoundedStep]:
        """The ghosts that visit other groups, under columns of their own; only the keys are those of the group."""
        places = [self._ids.column("place", column.type) for column in self._columns]
        own = tuple(map(ref, self._columns))
        groups = self._group(keyed, own, tuple(alias(key, place) for key, place in zip(own, places, strict=True)))
        pairs = InnerJoin(Filter(keyed, ref(moves)), groups, self._might_meet(places))
        there = dict(zip(self._columns, places, strict=True))
        new = {column: self._ids.column("visitor", column.type, nullable=True) for column in keyed.columns}
        row, present = self._ids.flag("row"), self._ids.flag("present")
        copied = (alias(ref(there.get(column, column)), new[column]) for column in keyed.columns)
        step = Project(pairs, (*copied, alias(TRUE, row), alias(FALSE, present)))
        ids = {old.id: column for old, column in new.items()}
        flags = {old: new[flag] for old, flag in self._child.flagged.cells.items()}
        keys = {column.id for column in self._columns}
        cells = {ids[old].id: flag for old, flag in flags.items() if old not in keys}
        ranges = {ids[old].id: Range(*(new[end] for end in known.columns)) for old, known in self._child.ranges.items()}
        reasons = {ids[old].id: why for old, why in self._child.reasons.items() if old in ids}
        shown = Project(step, tuple(ref(new[column]) for column in data))
        return shown, BoundedStep(FlaggedStep(step, cells, row, present), ranges, reasons)

    def _might_meet(self, places: list[Column]) -> Expr:
        """The row is not of the group, and each of its keys could become that of the group."""
        same = [call("<=>", ref(own), ref(place)) for own, place in zip(self._columns, places, strict=True)]
        could = [
            choose(self._doubts[number], self._could_be(key, ref(places[number])), same[number])
            for number, key in enumerate(self._keys)
        ]
        return all_of(*could, negate(all_of(*same)))

    def _could_be(self, key: Expr, value: Expr) -> Expr:
        child = self._child
        try:
            known = Bounds(child.flagged.doubts, child.intervals(), child.reasons).of(key)
        except NoBounds:
            return TRUE
        is_null = call("isnull", value)
        outside = any_of(holds(call(">", known.low, value)), holds(call("<", known.high, value)))
        return any_of(all_of(is_null, holds(known.missing)), all_of(negate(is_null), negate(outside)))
