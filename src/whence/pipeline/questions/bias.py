"""Measures which groups an operation hit harder than others: the share of each group before and after every step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from whence.model.errors import UnknownColumn
from whence.pipeline.operation import Operation
from whence.pipeline.table_states import NO_ID
from whence.pipeline.trail import Trail


@dataclass(frozen=True)
class GroupShare:
    """The size and share of one group before and after one operation."""

    operation: Operation
    column: str
    group: object
    before: int
    after: int
    share_before: float
    share_after: float
    kept: float
    """The part of the group that was kept; above 1 if rows were added."""
    kept_overall: float
    cells_changed: int
    """How many cells of rows of this group the operation changed."""


@dataclass(frozen=True)
class BiasReport:
    """The shares of all groups, in the order of columns and operations; `worst` lists the groups that were hit."""

    shares: tuple[GroupShare, ...]

    @property
    def worst(self) -> list[GroupShare]:
        """Groups that lost a larger part of themselves than all rows did, the hardest hit first."""
        # The margin keeps rounding errors from counting as a loss.
        hit = [each for each in self.shares if each.before and each.kept < each.kept_overall - 1e-12]
        return sorted(hit, key=lambda each: each.kept / each.kept_overall)

    def __str__(self) -> str:
        lines = [
            f"step {each.operation.number} ({each.operation.kind}): {each.column} = {each.group} "
            f"{each.share_before:.1%} -> {each.share_after:.1%} ({each.before} -> {each.after} rows, "
            f"{each.kept:.1%} kept, all rows {each.kept_overall:.1%})"
            for each in self.shares
        ]
        return "\n".join(lines)


def bias(trail: Trail, columns: list[str]) -> BiasReport:
    """Return the shares of the groups that columns of the input form, followed by record through every step.

    Groups come from the input's values, so a step may drop or recode the column. A row made on the way counts for the
    group of the row it came from, if there is just one.
    """
    shares = []
    for column in columns:
        if trail.input.schema.position(column) is None:
            names = ", ".join(trail.input.schema.names)
            raise UnknownColumn(f"{trail.input.label} has no column {column}.", f"It has {names}.")
        groups = _groups(trail, column)
        for step in trail.steps:
            shares += _step_shares(trail, step.index, column, groups)
    return BiasReport(tuple(shares))


def _groups(trail: Trail, column: str) -> list[list[object]]:
    """Return, for each segment, the group of each row."""
    known = [trail.column(0, column).to_pylist()]
    for number, segment in enumerate(trail.segments):
        if segment.closing is not None:
            parent = trail.ancestor_rows(number)
            known.append([known[number][row] if row != NO_ID else None for row in parent.tolist()])
    return known


def _step_shares(trail: Trail, index: int, column: str, groups: list[list[object]]) -> list[GroupShare]:
    before, after = (_counted(trail, state, groups) for state in (index, index + 1))
    all_before, all_after = sum(before.values()), sum(after.values())
    step = trail.steps[index]
    changed = _changed(trail, index, groups)
    found = []
    for group in sorted(before.keys() | after.keys(), key=lambda each: (each is None, str(each))):
        old, new = before[group], after[group]
        found.append(
            GroupShare(
                operation=step.operation,
                column=column,
                group=group,
                before=old,
                after=new,
                share_before=old / all_before if all_before else 0.0,
                share_after=new / all_after if all_after else 0.0,
                kept=new / old if old else float("inf") if new else 1.0,
                kept_overall=all_after / all_before if all_before else 1.0,
                cells_changed=changed[group],
            )
        )
    return found


def _counted(trail: Trail, state: int, groups: list[list[object]]) -> Counter[object]:
    known = groups[trail.home(state)]
    return Counter(known[row] for row in trail.rows(state).tolist())


def _changed(trail: Trail, index: int, groups: list[list[object]]) -> Counter[object]:
    step = trail.steps[index]
    known = groups[trail.home(index + 1)]
    total: Counter[object] = Counter()
    for name in step.overwritten:
        for row in np.flatnonzero(trail.changed(step, name)).tolist():
            total[known[row]] += 1
    return total
