"""Ids of several rows as one array: what a group carries, and a chain of rows."""

from __future__ import annotations

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Expr, call, literal, ref
from whence.plan.step import CarriedIds, Group, Rid


def group_of(carried: tuple[CarriedIds, ...], ids: ColumnIdAllocator, *, nullable: bool = False) -> Group:
    """The group of all that rows carry, in a new column."""
    only = carried[0]
    is_bare = len(carried) == 1 and isinstance(only, Rid) and not only.column.nullable
    fields = ",".join(f"f{number}:{each.column.type}" for number, each in enumerate(carried))
    element = only.column.type if is_bare else f"struct<{fields}>"
    return Group(ids.column("ids", f"array<{element}>", nullable=nullable), carried, is_bare)


def member_of(group: Group) -> Expr:
    """What one row adds to a group; ids that may be NULL travel inside a struct, as `collect_list` drops NULLs."""
    if group.is_bare:
        return ref(group.members[0].column)
    named = [
        part
        for number, each in enumerate(group.members)
        for part in (literal(f"f{number}", "string"), ref(each.column))
    ]
    return call("named_struct", *named)
