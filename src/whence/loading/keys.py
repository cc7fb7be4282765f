"""Checks whether a column that was declared as the key identifies every row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from whence.loading.problems import Problem
from whence.model.errors import UnknownColumn
from whence.model.schema import INTERNAL_PREFIX, LINE_COLUMN


def key_problems(table: pa.Table, key: str) -> Iterator[Problem]:
    """Yield one problem for every row whose key is missing or repeats an earlier one."""
    if key not in table.column_names or key.startswith(INTERNAL_PREFIX):
        names = [name for name in table.column_names if not name.startswith(INTERNAL_PREFIX)]
        raise UnknownColumn(f"The key {key} is not a column.", f"There are {', '.join(names)}.")
    has_lines = LINE_COLUMN in table.column_names
    lines = table.column(LINE_COLUMN) if has_lines else pa.chunked_array([pa.array(range(table.num_rows))])
    return _problems(table.column(key), lines, key, "line" if has_lines else "row")


def _problems(values: pa.ChunkedArray, lines: pa.ChunkedArray, key: str, unit: str) -> Iterator[Problem]:
    places = values.combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy()
    _, firsts, inverse = np.unique(places, return_index=True, return_inverse=True)
    repeated = (firsts[inverse] != np.arange(len(places))) & (places >= 0)
    for row in np.flatnonzero(repeated | (places < 0)).tolist():
        line, text = lines[row].as_py(), values[row].as_py()
        if places[row] < 0:
            message = f"The key {key} is missing in {unit} {line}."
            yield Problem(
                row=row,
                column=key,
                line=line if unit == "line" else None,
                text=None,
                kind="missing key",
                message=message,
            )
        else:
            first = lines[int(firsts[inverse[row]])].as_py()
            message = f"The key {key} in {unit} {line} is {text}, as in {unit} {first}."
            yield Problem(
                row=row,
                column=key,
                line=line if unit == "line" else None,
                text=str(text),
                kind="repeated key",
                message=message,
            )
