"""The caveat rule of a group-by whose keys are in doubt: which groups a row might leave or join.

A row whose key cells in the set P are doubtful might join any group that agrees with it on the other keys, or make a
new one. So every aggregate of those groups is in doubt, and a ghost group with doubtful key cells is added.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from whence.plan.expr import (
    FALSE,
    Column,
    Expr,
    aggregate,
    alias,
    all_of,
    any_of,
    holds,
    negate,
    ref,
    window,
)
from whence.plan.flags import Flags
from whence.plan.fresh import Fresh
from whence.plan.step import Marked, Step
from whence.plan.steps.project import Project
from whence.plan.steps.spawn import Spawn

_MOST_PATTERNS = 7
"""All sets of up to three doubtful keys; with more, rows are taken to doubt all of them, which marks more."""

Pattern = frozenset[int]
"""Positions of the key cells that are doubtful together in one row."""


Extend = Callable[[tuple[Expr, ...]], Step]
"""The group-by with more outputs."""


def moving_keys(
    grouped: Marked,
    extend: Extend,
    outputs: tuple[Expr, ...],
    keys: tuple[Expr, ...],
    doubts: tuple[Expr, ...],
    fresh: Fresh,
) -> Marked:
    """The marked group-by, with what its doubtful keys add; unchanged if no key can be doubtful."""
    patterns = {pattern: claim for pattern, claim in _patterns(doubts).items() if claim != FALSE}
    if not patterns:
        return grouped
    moved = {pattern: fresh.flag("moved") for pattern in patterns}
    key_columns = tuple(fresh.column("key", _type_of(key), nullable=True) for key in keys)
    step = extend(
        (
            *(alias(holds(aggregate("max", claim)), moved[pattern]) for pattern, claim in patterns.items()),
            *(alias(key, column) for key, column in zip(keys, key_columns, strict=True)),
        )
    )
    touched = {pattern: fresh.flag("touched") for pattern in patterns}
    reached = Project(
        step,
        (
            *map(ref, step.columns),
            *(alias(window(aggregate("max", ref(moved[p])), _agreeing(p, key_columns)), touched[p]) for p in patterns),
        ),
    )
    copy = fresh.flag("copy")
    spawned = Spawn(reached, any_of(*map(ref, moved.values())), copy)
    flags = Flags(fresh)
    shown = [expr for expr in outputs if not expr.output.is_internal]
    cells = flags.cells({expr.output.id: _cell_doubt(expr, grouped, keys, moved, touched, copy) for expr in shown})
    row = flags.flag(grouped.is_row_doubtful, "row")
    present = flags.present(all_of(grouped.is_present, negate(ref(copy))))
    data = tuple(ref(expr.output) for expr in outputs)
    return Marked(Project(spawned, (*data, *flags.exprs)), cells, row, present, grouped.is_loose)


def _patterns(doubts: tuple[Expr, ...]) -> dict[Pattern, Expr]:
    """For each set of key positions the claim that exactly these are doubtful in a row."""
    uncertain = [position for position, claim in enumerate(doubts) if claim != FALSE]
    if 2 ** len(uncertain) - 1 > _MOST_PATTERNS:
        return {frozenset(uncertain): any_of(*doubts)}
    patterns: dict[Pattern, Expr] = {}
    for size in range(1, len(uncertain) + 1):
        for chosen in combinations(uncertain, size):
            claims = (doubts[p] if p in chosen else negate(doubts[p]) for p in uncertain)
            patterns[frozenset(chosen)] = all_of(*claims)
    return patterns


def _agreeing(pattern: Pattern, key_columns: tuple[Column, ...]) -> tuple[Expr, ...]:
    return tuple(ref(column) for position, column in enumerate(key_columns) if position not in pattern)


def _cell_doubt(
    expr: Expr,
    grouped: Marked,
    keys: tuple[Expr, ...],
    moved: dict[Pattern, Column],
    touched: dict[Pattern, Column],
    copy: Column,
) -> Expr:
    """An aggregate is touched by rows that might come or go; a key cell is in doubt only on a ghost copy."""
    own = grouped.doubts.get(expr.output.id, FALSE)
    if any(node.kind == "aggregate" for node in expr.walk()):
        return any_of(own, ref(copy), *map(ref, touched.values()))
    read = {position for position, key in enumerate(keys) if set(key.columns) & set(expr.columns)}
    return any_of(own, all_of(ref(copy), any_of(*(ref(flag) for pattern, flag in moved.items() if pattern & read))))


def _type_of(key: Expr) -> str:
    return key.column.type if key.kind == "column" and key.column is not None else ""
