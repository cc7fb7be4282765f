"""The row key of a union: the branch, and the key the row has there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, call, literal, null, ref
from whence.plan.rowkey import BranchKey, RowKey, columns_of, rename_key_columns
from whence.plan.step import Step


class BranchKeys:
    """Which columns the branches must put out so that the key of each can be told above the union.

    A column a branch shows is where the union shows it. One that it only carries gets a slot of its own, where the
    other branches have NULL: numbers that rules put out as such, anything else as text, whatever its type.
    """

    def __init__(self, branches: Sequence[Step], keys: Sequence[RowKey | None], ids: ColumnIdAllocator) -> None:
        self._branches = branches
        self._keys = [key for key in keys if key is not None]
        self._is_known = len(self._keys) == len(keys)
        self._ids = ids
        self._number = ids.column("branch", "int", nullable=True)
        self._slots = [
            (number, column, ids.column("key", _slot_type(column), nullable=True))
            for number, key in enumerate(self._keys)
            for column in dict.fromkeys(columns_of(key))
            if column not in branches[number].columns
        ]

    @cached_property
    def key(self) -> RowKey | None:
        """The key of the union's rows."""
        if not self._is_known:
            return None
        return BranchKey(self._number, tuple(self._key_above(number) for number in range(len(self._keys))))

    def exprs(self, number: int) -> tuple[Expr, ...]:
        """What a branch puts out beside its own columns."""
        if not self._is_known:
            return ()
        values = [literal(number, "int")]
        values += [
            call(slot.type, ref(column)) if owner == number else null(slot.type) for owner, column, slot in self._slots
        ]
        outputs = [self._number, *(output for _, _, output in self._slots)]
        # Only the first branch names the output; the others need names of their own.
        names = outputs if number == 0 else [self._ids.column("branch", each.type, nullable=True) for each in outputs]
        return tuple(alias(value, name) for value, name in zip(values, names, strict=True))

    def _key_above(self, number: int) -> RowKey:
        names: dict[Column, Column] = dict(zip(self._branches[number].columns, self._branches[0].columns, strict=True))
        names.update({column: output for owner, column, output in self._slots if owner == number})
        return rename_key_columns(self._keys[number], names)


def _slot_type(column: Column) -> str:
    return "int" if column.is_internal and column.type == "int" else "string"
