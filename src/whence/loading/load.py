"""From a file to a dataset version: rows, marks, caveats, report, and the file itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.loading.keys import key_problems
from whence.loading.problems import Problem
from whence.loading.read import Loaded, read_csv
from whence.loading.report import DOCUMENT
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import BadInput
from whence.model.schema import ROW_MARK_COLUMN, Schema, mark_column
from whence.store.draft import Draft
from whence.store.parts import write_table
from whence.store.runs import Run
from whence.store.store import Store
from whence.store.types import schema_of

Mask = npt.NDArray[np.bool_]


def load_csv(store: Store, path: Path, name: str, key: str | None = None) -> DatasetRecord:
    """Load a delimited file as a new version of a name; `key` is a column whose values should identify the rows."""
    loaded = read_csv(path)
    if key is not None:
        found = key_problems(loaded.table, key)
        loaded = replace(loaded, report=replace(loaded.report, problems=[*loaded.problems, *found], key=key))
    run = store.begin("load", name)
    try:
        return store.publish(run, _draft(store, run, path, loaded))
    except BaseException as error:
        store.abandon(run, str(error))
        raise


def _draft(store: Store, run: Run, path: Path, loaded: Loaded) -> Draft:
    source = store.add_file(path)
    if source.sha256 != loaded.report.source.sha256:
        raise BadInput(f"The file {path} changed while it was read.", "Load it again.")
    schema = schema_of(loaded.table.schema)
    marks = marks_of(schema, loaded)
    table = loaded.table
    for column, mask in marks.items():
        table = table.append_column(column, pa.array(mask))
    return Draft(
        schema,
        write_table(run.staging / "parts", table),
        f"load {path.name}",
        doubt=_doubt(schema, marks),
        caveats=tuple(problem.as_caveat() for problem in loaded.problems),
        documents={DOCUMENT: loaded.report.as_document()},
        sources=(source,),
    )


def marks_of(schema: Schema, loaded: Loaded) -> dict[str, Mask]:
    """The stored mark columns: one for every column, and one for the rows, that has any doubt."""
    rows = loaded.table.num_rows
    marks: dict[str, Mask] = {}
    for column, row in _places(schema, loaded.problems):
        marks.setdefault(column, np.zeros(rows, dtype=bool))[row] = True
    for name, doubtful in loaded.doubtful.items():
        if len(doubtful):
            marks.setdefault(_mark(schema, name), np.zeros(rows, dtype=bool))[doubtful] = True
    return marks


def _places(schema: Schema, problems: list[Problem]) -> Iterator[tuple[str, int]]:
    for problem in problems:
        if problem.row is not None:
            yield ROW_MARK_COLUMN if problem.column is None else _mark(schema, problem.column), problem.row


def _mark(schema: Schema, name: str) -> str:
    position = schema.position(name)
    assert position is not None, name
    return mark_column(position)


def _doubt(schema: Schema, marks: dict[str, Mask]) -> Doubt:
    names = frozenset(field.name for n, field in enumerate(schema) if mark_column(n) in marks)
    return Doubt(names, ROW_MARK_COLUMN in marks)
