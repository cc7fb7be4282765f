"""Bounds the rows of joins of small datasets by how often their key columns show a value.

Without this, a join of 1,000 rows with 600 could give 600,000 for all that its plan says, and would be run like one
that does: with compiled code, by Spark's writer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import pyarrow.compute as pc

from whence.plan.expr import Column, Expr
from whence.plan.plain_keys import is_plain, named_column, split_conjunction
from whence.plan.rebuild import rebuild
from whence.plan.step import Step
from whence.plan.stored_rows import StoredRows
from whence.store.store import Store

MOST_READ = 100_000
"""Key columns of more rows than this are not read: such a join is not small anyway."""

_EQUAL = ("equalto", "equalnullsafe")


def bound_joins(store: Store, plan: Step) -> Step:
    """Return the plan with joins that know how many pairs they can give at most. It is only for counting."""
    return rebuild(plan, lambda step: step.with_most_pairs(partial(_most_pairs, store)))


def _most_pairs(store: Store, left: Step, right: Step, condition: Expr) -> int:
    """Return how many pairs of rows can meet a condition.

    A row of one side meets no more rows of the other than the most frequent key there has.
    """
    equal = list(_equal_columns(condition))
    pairs = left.most_rows * right.most_rows
    for one, other in ((left, right), (right, left)):
        found = _most_frequent(store, other, equal)
        pairs = pairs if found is None else min(pairs, one.most_rows * found)
    return pairs


def _equal_columns(condition: Expr) -> Iterator[Expr]:
    """Yield the columns that must equal something for the condition to hold."""
    for each in split_conjunction(condition):
        if each.kind == "call" and each.name in _EQUAL:
            yield from (arg for arg in each.args if arg.kind == "column")


def _most_frequent(store: Store, side: Step, equal: Sequence[Expr]) -> int | None:
    """Return how many rows of a side share the values of its key columns; None if these are not stored columns."""
    here = {column.id for column in side.columns}
    found = _stored_columns(side, [each for each in equal if here.issuperset(column.id for column in each.columns)])
    if found is None:
        return None
    stored, columns = found
    if not columns or stored.rows > MOST_READ:
        return None
    names = [column.name for column in columns]
    rows = store.read(store.by_id(stored.dataset), 0, stored.rows, names)
    counted = rows.group_by(names).aggregate([([], "count_all")])
    most: int | None = pc.max(counted.column("count_all")).as_py()
    return most or 0


def _stored_columns(step: Step, exprs: Sequence[Expr]) -> tuple[StoredRows, list[Column]] | None:
    """Return the dataset that a side reads, and the columns of it among some expressions."""
    while (stored := step.stored_rows) is None:
        if not step.traits.lets_keys_through:
            return None
        exprs = tuple(map(step.restate_below, exprs))
        (step,) = step.inputs
    columns = [named_column(each, stored) for each in exprs]
    return stored, list(dict.fromkeys(each for each in columns if each is not None and is_plain(each.type)))
