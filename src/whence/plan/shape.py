"""What a query does to the set of rows: the joins, filters and limits that may surprise whoever reads its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from whence.plan.columnmap import ColumnMap
from whence.plan.expr import Column, Expr
from whence.plan.step import GroupBy, Step

_SUMS = frozenset({"sum", "average"})

KeyColumn = tuple[str, int, str]
"""A column of the result that shows a group key, and the source and the column that it is a copy of."""

_Maps = Mapping[int, ColumnMap]
"""The column map of each step, by the identity of the step."""


@dataclass(frozen=True)
class Shape:
    """The facts of a plan from which notes are made; sources are given by their numbers."""

    joined: tuple[int, ...] = ()
    """Sources whose rows reach the result through joins, with nothing between that repeats or chooses rows."""
    must_match: tuple[int, ...] = ()
    """Those of them that an inner join alone may have taken rows from."""
    summed: tuple[int, ...] = ()
    """Sources of which a column is summed or averaged after a join."""
    is_grouped: bool = False
    has_filter: bool = False
    keys: tuple[KeyColumn, ...] = ()
    """Keys of groups that no filter reads, and that no filter of groups can have removed."""
    unordered_limit: int | None = None
    limits_result: bool = False
    """Whether it is the only one, and every row that it lets through is a row of the result."""

    def to_json(self) -> dict[str, object]:
        """As a JSON document."""
        return {
            "joined": list(self.joined),
            "must match": list(self.must_match),
            "summed": list(self.summed),
            "grouped": self.is_grouped,
            "filter": self.has_filter,
            "keys": [list(key) for key in self.keys],
            "unordered limit": self.unordered_limit,
            "limits result": self.limits_result,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, object]) -> Shape:
        """From a JSON document."""
        keys = cast("list[tuple[str, int, str]]", content["keys"])
        return cls(
            joined=tuple(cast("list[int]", content["joined"])),
            must_match=tuple(cast("list[int]", content["must match"])),
            summed=tuple(cast("list[int]", content["summed"])),
            is_grouped=bool(content["grouped"]),
            has_filter=bool(content["filter"]),
            keys=tuple((name, source, column) for name, source, column in keys),
            unordered_limit=cast("int | None", content["unordered limit"]),
            limits_result=bool(content.get("limits result", False)),
        )


@dataclass(frozen=True)
class _Path:
    """What lies between a source and the result."""

    is_joined: bool = False
    may_pad: bool = False
    is_filtered: bool = False


def shape_of(plan: Step, shown: Iterable[tuple[Column, str]]) -> Shape:
    """The shape of a plan."""
    paths = dict(_paths(plan, _Path()))
    groups = _groups(plan)
    maps = {} if groups is None else _column_maps(groups.child)
    limits = _unordered_limits(plan)
    joined = {source: path for source, path in paths.items() if path.is_joined}
    return Shape(
        joined=tuple(sorted(joined)),
        must_match=tuple(sorted(n for n, path in joined.items() if not path.is_filtered and not path.may_pad)),
        summed=() if groups is None else tuple(sorted(_summed(groups, maps[id(groups.child)]) & joined.keys())),
        is_grouped=groups is not None,
        has_filter=any(each.conditions for each in plan.walk()),
        keys=() if groups is None else tuple(_keys(plan, groups, shown, maps)),
        unordered_limit=limits[0].row_limit if limits else None,
        limits_result=len(limits) == 1 and _rearranged(plan) is limits[0],
    )


def _paths(step: Step, path: _Path) -> Iterator[tuple[int, _Path]]:
    if (stored := step.stored_rows) is not None:
        yield stored.source, path
        return
    is_join = step.traits.passes_formulas and len(step.inputs) == 2
    if is_join:
        pads = not step.traits.is_conjunctive
        below = replace(path, is_joined=True, may_pad=path.may_pad or pads)
    elif len(step.inputs) == 1 and not _repeats_rows(step):
        below = replace(path, is_filtered=path.is_filtered or bool(step.drops))
    else:
        return
    for each in step.inputs:
        yield from _paths(each, below)


def _repeats_rows(step: Step) -> bool:
    """Whether it puts out a row several times on purpose, or is a part of a semi join, which repeats none."""
    groups = step.group_by
    if groups is not None:
        return any(column.is_internal for key in groups.keys for column in key.columns)
    return not (step.traits.keeps_rows or step.traits.passes_formulas or step.traits.groups_rows)


def _groups(plan: Step) -> GroupBy | None:
    """The group-by whose groups are the rows of the result."""
    while plan.group_by is None and len(plan.inputs) == 1:
        (plan,) = plan.inputs
    return None if _repeats_rows(plan) else plan.group_by


def _summed(groups: GroupBy, below: ColumnMap) -> set[int]:
    nodes = (node for expr in groups.outputs for node in expr.walk() if node.kind == "aggregate")
    sums = [node for node in nodes if node.name in _SUMS and not node.is_distinct]
    return {use.source for node in sums for use in below.reads(node.args, "aggregated") if use.source >= 0}


def _keys(plan: Step, groups: GroupBy, shown: Iterable[tuple[Column, str]], maps: _Maps) -> Iterator[KeyColumn]:
    """The keys that are shown and copied from a source, unless some filter reads them."""
    if any(step.drops for step in _above(plan)):
        return
    tested = {place for step in groups.child.walk() for place in _tested(step, maps)}
    made = {expr.output.id: expr for expr in groups.outputs}
    keys = {key.output.id for key in groups.keys if key.kind == "column"}
    for column, name in shown:
        expr = made.get(column.id)
        copied = None if expr is None else _copied(expr, keys, maps[id(groups.child)])
        if copied is not None and copied not in tested:
            yield (name, *copied)


def _copied(expr: Expr, keys: set[int], below: ColumnMap) -> tuple[int, str] | None:
    inner = expr.args[0] if expr.kind == "alias" else expr
    if inner.kind != "column" or inner.output.id not in keys:
        return None
    uses = below.values.get(inner.output.id, frozenset())
    places = {(use.source, use.column) for use in uses if use.role == "copied" and use.source >= 0}
    return places.pop() if len(places) == len(uses) == 1 else None


def _tested(step: Step, maps: _Maps) -> set[tuple[int, str]]:
    if not step.conditions:
        return set()
    uses = maps[id(step.inputs[0])].reads(step.conditions, "filtered")
    return {(use.source, use.column) for use in uses}


def _above(plan: Step) -> Iterator[Step]:
    """The steps over the group-by."""
    while plan.group_by is None:
        yield plan
        (plan,) = plan.inputs


def _column_maps(plan: Step) -> _Maps:
    maps: dict[int, ColumnMap] = {}
    for step in reversed(list(plan.walk())):  # inputs first, so that no step is worked out twice
        maps[id(step)] = step.column_map(tuple(maps[id(each)] for each in step.inputs))
    return maps


def _unordered_limits(plan: Step) -> list[Step]:
    return [
        step
        for step in plan.walk()
        if step.row_limit is not None and not step.row_order and not step.inputs[0].row_order
    ]


def _rearranged(plan: Step) -> Step:
    """The first step below those that only rearrange or compute columns of each row."""
    while plan.row_limit is None and plan.traits.keeps_rows and len(plan.inputs) == 1:
        (plan,) = plan.inputs
    return plan
