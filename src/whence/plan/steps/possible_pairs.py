"""The caveat rule of a left join whose matches are in doubt: every row it has in some possible world.

Each left row meets, besides the right rows it matches or might match, one *stand-in* of NULLs. The stand-in is the
padded row: really there if nothing matches, and possible as long as no match is certain.
"""

from __future__ import annotations

from dataclasses import replace

from whence.plan.expr import (
    FALSE,
    TRUE,
    Column,
    Expr,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    choose,
    holds,
    negate,
    null_like,
    ref,
    window,
)
from whence.plan.flags import Flags
from whence.plan.fresh import Fresh
from whence.plan.step import Marked
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.project import Project
from whence.plan.steps.union_all import UnionAll


def possible_pairs(left: Marked, right: Marked, condition: Expr, varies: Expr, fresh: Fresh) -> Marked:
    """`left LEFT JOIN right ON condition`, where `varies` says for which pairs the condition could change."""
    number, stand_in = fresh.column("left", "bigint"), fresh.flag("stand_in")
    numbered = Project(left.step, (*map(ref, left.step.columns), alias(call("monotonically_increasing_id"), number)))
    right = _with_stand_in(right, stand_in, fresh)
    is_pair = negate(ref(stand_in))
    matches, might = holds(condition), holds(varies)
    joined = InnerJoin(numbered, right.step, any_of(ref(stand_in), matches, might))

    hit, hesitant = fresh.flag("hit"), fresh.flag("hesitant")
    tested = Project(
        joined,
        (*map(ref, joined.columns), alias(all_of(is_pair, matches), hit), alias(all_of(is_pair, might), hesitant)),
    )
    is_match = all_of(ref(hit), right.is_present)
    is_sure = all_of(is_match, negate(ref(hesitant)), negate(right.is_row_doubtful))
    has_match, has_sure, has_pair = fresh.flag("has_match"), fresh.flag("has_sure"), fresh.flag("has_pair")
    weighed = Project(
        tested,
        (
            *map(ref, tested.columns),
            _in_left_row(is_match, number, has_match),
            _in_left_row(is_sure, number, has_sure),
            _in_left_row(is_pair, number, has_pair),
        ),
    )
    possible = Filter(weighed, any_of(is_pair, negate(ref(has_sure))))

    flags = Flags(fresh)
    pair_doubt = any_of(right.is_row_doubtful, ref(hesitant))
    padded_doubt = TRUE if right.is_loose else ref(has_pair)
    row = flags.flag(any_of(left.is_row_doubtful, choose(ref(stand_in), padded_doubt, pair_doubt)), "row")
    is_there = choose(ref(stand_in), negate(ref(has_match)), is_match)
    present = flags.present(all_of(left.is_present, is_there))
    cells = flags.cells(left.doubts | right.doubts)
    right_columns = (expr for expr in right.unflagged if expr.column != stand_in)
    step = Project(possible, (*left.unflagged, *right_columns, *flags.exprs))
    return Marked(step, cells, row, present, left.is_loose or right.is_loose)


def _with_stand_in(right: Marked, stand_in: Column, fresh: Fresh) -> Marked:
    columns = right.step.columns
    real = Project(right.step, (*map(ref, columns), alias(FALSE, stand_in)))
    nothing = Project(
        OneRow(),
        (
            *(alias(_blank(column, right), fresh.column("blank", column.type, nullable=True)) for column in columns),
            alias(TRUE, fresh.flag("blank")),
        ),
    )
    return replace(right, step=UnionAll((real, nothing)))


def _blank(column: Column, right: Marked) -> Expr:
    """A flag is never NULL: the stand-in is certain and present."""
    if column == right.present:
        return TRUE
    return FALSE if column in right.flags else null_like(column)


def _in_left_row(claim: Expr, number: Column, name: Column) -> Expr:
    return alias(window(aggregate("max", claim), (ref(number),)), name)
