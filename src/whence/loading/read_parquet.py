"""A Parquet file as a table; its types are kept, and values no type of ours can hold are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.loading.header import clean_names
from whence.loading.problems import Problem, of_column, quoted
from whence.loading.read import Loaded
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.words import as_mask
from whence.model.errors import BadInput
from whence.store.durable import hash_file
from whence.store.types import storable


def read_parquet(path: Path) -> Loaded:
    """Read a Parquet file."""
    try:
        stored = pq.ParquetFile(path, page_checksum_verification=True).read()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"The Parquet file {path} cannot be read: {error}.", "Get it again.") from error
    names = clean_names(stored.column_names)
    problems = list(_renamed(stored.column_names, names))
    columns = []
    for name, column in zip(names, stored.columns, strict=True):
        fitted, found = _fitted(name, column)
        columns.append(fitted)
        problems += found
    table = storable(pa.table(columns, names=names))
    facts = SourceFacts(str(path.resolve()), hash_file(path), path.stat().st_size)
    report = LoadReport(table.num_rows, problems, "", None, facts, header=tuple(stored.column_names))
    return Loaded(table, report, {})


def _renamed(originals: list[str], names: list[str]) -> Iterator[Problem]:
    for original, name in zip(originals, names, strict=True):
        if original != name:
            yield of_column(
                name, "renamed", f"The name {quoted(original)} cannot be used; the column is {name}.", original
            )


def _fitted(name: str, column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, list[Problem]]:
    """Times of day become text; times finer than a microsecond become NULL and a problem each."""
    kind = column.type
    if pa.types.is_time(kind):
        return column.cast(pa.string()), [of_column(name, "time of day", f"Column {name}: its times of day are text.")]
    if not pa.types.is_timestamp(kind) or kind.unit != "ns":
        return column, []
    coarse = column.cast(pa.timestamp("us", kind.tz), safe=False)
    finer = as_mask(pc.not_equal(coarse.cast(kind), column))
    problems = [
        Problem(
            row,
            name,
            None,
            str(value),
            "too fine",
            f"{value} in column {name}, row {row}, is finer than a microsecond.",
        )
        for row, value in zip(
            np.flatnonzero(finer).tolist(), column.filter(pa.array(finer)).cast(pa.string()).to_pylist(), strict=True
        )
    ]
    return pc.if_else(pa.array(finer), pa.scalar(None, coarse.type), coarse), problems
