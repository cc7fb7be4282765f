"""Finds the rows for which a condition holds: those of plain comparisons in this process, all others in Spark."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.store.condition import Clause, clauses, passing
from whence.workspace.context import Context

_EQUALS = re.compile(
    r"\s*(?:(?P<name>(?!(?i:true|false|null)\b)[A-Za-z_]\w*)|`(?P<quoted>[^`]+)`)\s*=\s*(?:(?P<number>-?[0-9]{1,18}(?![\w.]))|'(?P<text>[^'\\]*)')\s*"
)
_AND = re.compile(r"(?i:and)(?=[\s`])")
_WHOLE_NUMBERS = {"tinyint": pa.int8(), "smallint": pa.int16(), "int": pa.int32(), "bigint": pa.int64()}


def find_rows(context: Context, record: DatasetRecord, where: str) -> list[int]:
    """Return the row ids for which a SQL condition holds, in order."""
    plain = plain_clauses(record, where)
    if plain is None:
        return context.engine.rids_where(record, where)
    return [int(rid) for rids in _rows_of(context, record, plain) for rid in rids]


def plain_clauses(record: DatasetRecord, where: str) -> tuple[Clause, ...] | None:
    """Return the comparisons of `id = 5 and name = 'Ada'`; None for all that needs Spark to be understood.

    Numbers are compared with columns of whole numbers and texts with columns of text, so Spark would cast no value.
    """
    types = {field.name: field.type for field in record.schema}
    given: list[tuple[str, str, object]] = []
    place = 0
    while (found := _EQUALS.match(where, place)) is not None:
        name = found["name"] or found["quoted"]
        kind, number = types.get(name), found["number"]
        if number is None and kind == "string":
            given.append((name, "=", found["text"]))
        elif (
            number is not None
            and kind in _WHOLE_NUMBERS
            and abs(int(number)) < 2 ** (_WHOLE_NUMBERS[kind].bit_width - 1)
        ):
            given.append((name, "=", int(number)))
        else:
            return None
        if found.end() == len(where):
            return clauses(_arrow_types(types), given)
        following = _AND.match(where, found.end())
        if following is None:
            return None
        place = following.end()
    return None


def _arrow_types(types: dict[str, str]) -> pa.Schema:
    return pa.schema([(name, _WHOLE_NUMBERS.get(kind, pa.string())) for name, kind in types.items()])


def _rows_of(context: Context, record: DatasetRecord, plain: tuple[Clause, ...]) -> Iterator[Ids]:
    first, *others = plain
    wanted = first.values[0].as_py()
    for start, table in context.store.scan_where(record, first.column, lambda low, high: low <= wanted <= high):
        rows = np.flatnonzero(passing(table, [first]).to_numpy()) + start
        if others and len(rows):
            columns = list(dict.fromkeys(each.column for each in others))
            rows = rows[passing(context.store.take(record, rows, columns), others).to_numpy()]
        yield rows
