"""Row keys as expressions: what identifies an output row of a step in another run, by source rows and column values.

A key is symbolic: ids of source rows are captured for lineage anyway, so only values that the output does not show
have to travel with the query. The rows of a step without a key are identified by their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, ref


@dataclass(frozen=True)
class SourceRowKey:
    """The key of the one row of this source that the row was made from; none where an outer join padded it."""

    source: int


@dataclass(frozen=True)
class ValueKey:
    """The values of these columns, unique among the rows; without columns, there is only one row."""

    columns: tuple[Column, ...] = ()


@dataclass(frozen=True)
class CombinedKey:
    """Several keys together: both sides of a join, a row and the number of an element of it."""

    keys: tuple[RowKey, ...]


@dataclass(frozen=True)
class BranchKey:
    """The key in the branch of this number."""

    branch: Column
    keys: tuple[RowKey, ...]


@dataclass(frozen=True)
class PaddedKey:
    """The key where the label is not NULL, none where an outer join padded this side."""

    key: RowKey
    label: Column


@dataclass(frozen=True)
class NumberedKey:
    """The key of rows that a rule has numbered; grouping by the number gathers the copies of a row again."""

    number: Column
    key: RowKey


RowKey = SourceRowKey | ValueKey | CombinedKey | BranchKey | PaddedKey | NumberedKey


def combine_keys(*keys: RowKey | None) -> RowKey | None:
    """All of these keys; unknown if one is."""
    known = tuple(key for key in keys if key is not None)
    return CombinedKey(known) if len(known) == len(keys) else None


def columns_of(key: RowKey | None) -> Iterator[Column]:
    """The columns a key reads; one may come twice."""
    match key:
        case ValueKey():
            yield from key.columns
        case CombinedKey():
            yield from _columns_of_all(key.keys)
        case BranchKey():
            yield key.branch
            yield from _columns_of_all(key.keys)
        case PaddedKey():
            yield key.label
            yield from columns_of(key.key)
        case NumberedKey():
            yield from columns_of(key.key)


def rename_key_columns(key: RowKey, names: Mapping[Column, Column]) -> RowKey:
    """The same key, its columns under other names."""
    match key:
        case ValueKey():
            return ValueKey(tuple(names.get(column, column) for column in key.columns))
        case CombinedKey():
            return CombinedKey(tuple(rename_key_columns(each, names) for each in key.keys))
        case BranchKey():
            return BranchKey(
                names.get(key.branch, key.branch), tuple(rename_key_columns(each, names) for each in key.keys)
            )
        case PaddedKey():
            return PaddedKey(rename_key_columns(key.key, names), names.get(key.label, key.label))
        case NumberedKey():
            return replace(key, key=rename_key_columns(key.key, names))
        case SourceRowKey():
            return key


def behind_number(key: RowKey | None, number: Column) -> RowKey | None:
    """Return the key below a numbering, for rows gathered by this number."""
    match key:
        case NumberedKey():
            return key.key if key.number == number else behind_number(key.key, number)
        case CombinedKey():
            found = (behind_number(each, number) for each in key.keys)
            return next((each for each in found if each is not None), None)
        case PaddedKey():
            return behind_number(key.key, number)
    return None


def project_key(
    key: RowKey | None, exprs: Iterable[Expr], ids: ColumnIdAllocator
) -> tuple[RowKey | None, tuple[Expr, ...]]:
    """The key above a projection of these expressions, and what the projection must carry along for it."""
    if key is None:
        return None, ()
    made = {expr.output: expr for expr in exprs}
    copies = {expr.args[0].column: expr.output for expr in made.values() if _is_copy(expr)}
    names: dict[Column, Column] = {}
    extra: list[Expr] = []
    for column in dict.fromkeys(columns_of(key)):
        if column not in made:
            names[column] = copies.get(column, column)
            extra += [] if column in copies else [ref(column)]
        elif made[column].kind != "column":  # computed another way under the same id
            names[column] = copies.get(column) or ids.column("key", column.type, nullable=True)
            extra += [] if column in copies else [alias(ref(column), names[column])]
    return rename_key_columns(key, names), tuple(extra)


def _is_copy(expr: Expr) -> bool:
    return expr.kind == "alias" and expr.args[0].kind == "column"


def _columns_of_all(keys: Iterable[RowKey]) -> Iterator[Column]:
    for key in keys:
        yield from columns_of(key)
