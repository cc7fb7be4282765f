"""A JSON file as a table: one row per record, one column per key, nothing dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.loading.decide import check_types
from whence.loading.encoding import CARRIED, Text, decode, restore
from whence.loading.header import clean_names
from whence.loading.infer import Typed
from whence.loading.json_columns import json_column, mended, written
from whence.loading.json_values import JsonRecord, json_records
from whence.loading.problems import Problem, of_column, of_file, quoted
from whence.loading.read import Loaded
from whence.loading.report import LoadReport, SourceFacts
from whence.loading.scratch import Scratch
from whence.loading.source import read_source
from whence.model.errors import BadInput
from whence.model.schema import LINE_COLUMN

Rows = npt.NDArray[np.int64]


def read_json(path: Path, types: Mapping[str, str] | None = None) -> Loaded:
    """Read JSON lines, an array of objects, or objects one after the other."""
    source = read_source(path, Scratch())
    text = decode(source.data, str(path))
    content, problems = _restored(text)
    records = list(json_records(content, str(path)))
    keys = list(dict.fromkeys(key for record in records for key in record.values or ()))
    if not keys:
        raise BadInput(f"The file {path} has no JSON object in it.", "Each record must be an object with keys.")
    names = clean_names([mended(key) for key in keys])
    lines = np.array([record.line for record in records], np.int64)
    check_types(types or {}, names)
    wishes = {name.lower(): kind for name, kind in (types or {}).items()}
    columns = [
        _column(key, name, records, lines, wishes.get(name.lower())) for key, name in zip(keys, names, strict=True)
    ]
    problems += [*_record_problems(records, dict(zip(keys, names, strict=True)))]
    problems += [problem for column in columns for problem in column.problems]
    facts = SourceFacts(str(path.resolve()), source.sha256, source.size)
    options = {"types": dict(types)} if types else {}
    report = LoadReport(len(records), problems, text.encoding, None, facts, header=tuple(keys), options=options)
    table = pa.table([*(column.values for column in columns), pa.array(lines)], names=[*names, LINE_COLUMN])
    return Loaded(table, report, {name: column.doubtful for name, column in zip(names, columns, strict=True)})


def _restored(text: Text) -> tuple[str, list[Problem]]:
    """The text with bytes that are no letters shown as such; the lines that had any are kept as problems."""
    content = text.data[:].decode()
    if not text.has_bad_bytes:
        return content, []
    problems = [
        of_file("bad bytes", f"Line {number} holds bytes that are not UTF-8, shown as �.", number, restore(line)[1])
        for number, line in enumerate(content.split("\n"), start=1)
        if CARRIED.search(line)
    ]
    return restore(content)[0], problems


def _column(key: str, name: str, records: Sequence[JsonRecord], lines: Rows, wish: str | None) -> Typed:
    typed = json_column(name, [(record.values or {}).get(key) for record in records], lines, wish)
    if key == name:
        return typed
    renamed = of_column(name, "renamed", f"The key {quoted(key)} cannot be used; the column is {name}.", key)
    return Typed(typed.values, [renamed, *typed.problems], typed.doubtful)


def _record_problems(records: Sequence[JsonRecord], names: dict[str, str]) -> Iterator[Problem]:
    for row, record in enumerate(records):
        if record.values is None:
            message = f"Line {record.line} is not a JSON object; its text is kept in this note and the row is empty."
            yield Problem(row, None, record.line, record.text, "not an object", message)
        for key, value in record.repeated.items():
            message = f"The key {quoted(key)} comes twice in line {record.line}; the first value is in the cell."
            yield Problem(row, names[key], record.line, written(value), "repeated key", message)
