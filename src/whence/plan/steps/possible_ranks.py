"""The caveat rule of LIMIT: which rows are among the first n in every possible world, and which in some.

A row is certainly kept if fewer than n rows might come before it, and possibly kept if fewer than n certainly do. A row
whose sort key is in doubt might come anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.doubt import doubt
from whence.plan.expr import (
    FALSE,
    TRUE,
    Column,
    Expr,
    SortKey,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    choose,
    literal,
    negate,
    one_if,
    ref,
    window,
)
from whence.plan.flags import Flags
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.sort import Sort

MOST_RANKED = 2_000_000
"""Ranking needs all rows in one place; beyond this many the kept rows are all flagged instead."""


Keep = Callable[[Step], Step]
"""Puts the LIMIT over a step."""


def possible_ranks(
    child: FlaggedStep, order: tuple[SortKey, ...], count: int, keep: Keep, ids: ColumnIdAllocator
) -> FlaggedStep:
    """The first `count` rows of `child` in this order, with the flags of its rows."""
    key_doubt = any_of(*(doubt(key.expr, child.doubts) for key in order))
    if key_doubt == FALSE and not child.rows_vary and not child.is_loose:
        return replace(child, step=keep(child.step))
    if not order or child.is_loose or child.step.most_rows > MOST_RANKED:
        return doubt_kept_rows(child, keep, ids)
    return _rank_rows(child, order, key_doubt, count, ids)


def doubt_kept_rows(child: FlaggedStep, keep: Keep, ids: ColumnIdAllocator) -> FlaggedStep:
    """The rows that are kept, each of them in doubt, and nobody follows those that are not."""
    flags = Flags(ids)
    cells = flags.cells(child.doubts)
    row = flags.flag(TRUE, "row")
    return FlaggedStep(Project(keep(real_rows(child)), (*child.data_columns, *flags.exprs)), cells, row, is_loose=True)


def _rank_rows(
    child: FlaggedStep, order: tuple[SortKey, ...], key_doubt: Expr, count: int, ids: ColumnIdAllocator
) -> FlaggedStep:
    counting = _RowCounter(order, ids)
    is_certain = all_of(child.is_present, negate(child.is_row_doubtful), negate(key_doubt))
    so_far, all_rows = counting.up_to_here(TRUE), counting.in_all(TRUE)
    drifting_so_far, drifting = counting.up_to_here(key_doubt), counting.in_all(key_doubt)
    certain_so_far = counting.up_to_here(is_certain)
    there_so_far = counting.up_to_here(child.is_present)
    ranked = Project(child.step, (*map(ref, child.step.columns), *counting.exprs))

    drifting_later = call("-", ref(drifting), ref(drifting_so_far))
    might_precede = choose(key_doubt, ref(all_rows), call("+", ref(so_far), drifting_later))  # itself included
    surely_precede = call("-", ref(certain_so_far), one_if(is_certain))
    is_possible = any_of(key_doubt, call("<", surely_precede, _number(count)))
    is_kept = all_of(child.is_present, call("<=", ref(there_so_far), _number(count)))
    possible = Filter(ranked, is_possible)
    flags = Flags(ids)
    row = flags.flag(any_of(child.is_row_doubtful, call(">", might_precede, _number(count))), "row")
    present = flags.present(is_kept)
    cells = flags.cells(child.doubts)
    kept = Project(Sort(possible, order), (*child.data_columns, *flags.exprs))
    return FlaggedStep(kept, cells, row, present, child.is_loose)


class _RowCounter:
    """Counts rows for which a claim holds, along the order and in all."""

    def __init__(self, order: tuple[SortKey, ...], ids: ColumnIdAllocator) -> None:
        self._order = order
        self._ids = ids
        self._exprs: list[Expr] = []

    def up_to_here(self, claim: Expr) -> Column:
        return self._count(claim, self._order)

    def in_all(self, claim: Expr) -> Column:
        return self._count(claim, ())

    def _count(self, claim: Expr, order: tuple[SortKey, ...]) -> Column:
        column = self._ids.column("count", "bigint")
        counted = window(aggregate("sum", one_if(claim)), (), order)
        self._exprs.append(alias(counted, column))
        return column

    @property
    def exprs(self) -> tuple[Expr, ...]:
        return tuple(self._exprs)


def _number(value: int) -> Expr:
    return literal(value, "bigint")
