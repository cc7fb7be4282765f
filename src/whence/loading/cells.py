"""Rows of values that already have types (from a sheet or a database) as a table, by the rules for JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa

from whence.loading.decide import check_types
from whence.loading.header import clean_names
from whence.loading.infer import TypedValues
from whence.loading.json_columns import json_column
from whence.loading.json_values import Real
from whence.loading.problems import Problem, of_column, quoted
from whence.loading.read import Loaded
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.words import Rows
from whence.model.schema import LINE_COLUMN
from whence.store.durable import hash_file


def read_cells(
    path: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    lines: Rows,
    problems: Sequence[Problem],
    types: Mapping[str, str],
) -> Loaded:
    """Return these rows as a loaded table. `lines` holds the line of each row in the file."""
    names = clean_names(list(header))
    check_types(types, names)
    wishes = {name.lower(): kind for name, kind in types.items()}
    columns = [
        _column(name, [plain(row[n]) for row in rows], lines, wishes.get(name.lower())) for n, name in enumerate(names)
    ]
    renamed = [
        of_column(name, "renamed", f"The name {quoted(given)} cannot be used; the column is {name}.", given)
        for given, name in zip(header, names, strict=True)
        if given.strip() != name
    ]
    found = [*renamed, *problems, *(problem for column in columns for problem in column.problems)]
    facts = SourceFacts(str(path.resolve()), hash_file(path), path.stat().st_size)
    options = {"types": dict(types)} if types else {}
    report = LoadReport(len(rows), found, "", None, facts, header=tuple(header), options=options)
    table = pa.table([*(column.values for column in columns), pa.array(lines)], names=[*names, LINE_COLUMN])
    return Loaded(table, report, {name: column.doubtful for name, column in zip(names, columns, strict=True)})


def _column(name: str, values: list[object], lines: Rows, wish: str | None) -> TypedValues:
    if any(isinstance(value, bytes) for value in values):
        if all(value is None or isinstance(value, bytes) for value in values):
            return TypedValues(pa.chunked_array([pa.array(values, pa.binary())]), [], np.zeros(0, np.int64))
        values = [f"x'{value.hex()}'" if isinstance(value, bytes) else value for value in values]
    return json_column(name, values, lines, wish)


def plain(value: object) -> object:
    """Return numbers as they are written, and dates and times as text in a form that is recognised again."""
    if isinstance(value, bool) or value is None or isinstance(value, int | str | bytes):
        return value
    if isinstance(value, float | Decimal):
        return Real(repr(value) if isinstance(value, float) else str(value))
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else value.isoformat(" ")
    return str(value) if isinstance(value, date | time | timedelta) else repr(value)
