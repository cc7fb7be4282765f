"""The row key of a group: the values it was grouped by."""

from __future__ import annotations

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import CONSTANT, Column, Expr, alias, constant, ref
from whence.plan.rowkey import RowKey, ValueKey, behind_number, columns_of, rename_key_columns


def group_key(
    keys: tuple[Expr, ...], outputs: tuple[Expr, ...], rows: RowKey | None, ids: ColumnIdAllocator
) -> tuple[RowKey | None, tuple[Expr, ...]]:
    """The key, and what the group-by must put out for it beside its outputs; `rows` is the key of what is grouped."""
    numbers = [key.column for key in keys if key.column is not None and key.column.is_internal]
    if not numbers:
        return _of_values(keys, outputs, ids)
    # Rows that a rule has numbered, joined and now gathers again keep their own key: a number is but a position.
    gathered = behind_number(rows, numbers[0]) if len(keys) == 1 else None
    return (None, ()) if gathered is None else _of_rows(gathered, outputs, ids)


def _of_values(
    keys: tuple[Expr, ...], outputs: tuple[Expr, ...], ids: ColumnIdAllocator
) -> tuple[RowKey | None, tuple[Expr, ...]]:
    columns: list[Column] = []
    extra: list[Expr] = []
    for key in keys:
        column = next((expr.output for expr in outputs if _shows(expr, key)), None)
        if column is None:
            column = ids.column("key", key.type, nullable=True)
            extra.append(alias(key, column))
        columns.append(column)
    return ValueKey(tuple(columns)), tuple(extra)


def _of_rows(key: RowKey, outputs: tuple[Expr, ...], ids: ColumnIdAllocator) -> tuple[RowKey, tuple[Expr, ...]]:
    kept = {expr.args[0].args[0].column: expr.output for expr in outputs if _keeps_column(expr)}
    missing = [column for column in dict.fromkeys(columns_of(key)) if column not in kept]
    added = {column: ids.column("key", column.type, nullable=True) for column in missing}
    extra = tuple(alias(constant(ref(column)), name) for column, name in added.items())
    return rename_key_columns(
        key, {column: name for column, name in (kept | added).items() if column is not None}
    ), extra


def _shows(expr: Expr, key: Expr) -> bool:
    return expr == key or (expr.kind == "alias" and expr.args[0] == key)


def _keeps_column(expr: Expr) -> bool:
    """An output that is one column of the rows, as it was."""
    if expr.kind != "alias" or expr.args[0].value != CONSTANT:
        return False
    return expr.args[0].args[0].kind == "column"
