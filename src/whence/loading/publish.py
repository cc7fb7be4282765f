"""Turns what was read into the draft of a dataset version: flags, caveats and source files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading.archive_members import UnpackedArchive
from whence.loading.delimited import Parts
from whence.loading.keys import key_problems
from whence.loading.problem_table import Problems, as_problems
from whence.loading.read import Loaded
from whence.loading.report import DOCUMENT, FileFacts, LoadReport, SourceFacts
from whence.loading.words import Rows
from whence.model.dataset import Doubt
from whence.model.errors import BadInput
from whence.model.schema import ROW_FLAG_COLUMN, Schema, flag_column
from whence.store.draft import Draft, SourceFile
from whence.store.durable import hash_file
from whence.store.parts import PartFile, write_table
from whence.store.runs import Run
from whence.store.store import Store
from whence.store.types import schema_of


def draft_of_parts(
    store: Store, path: Path, read: Parts, origin: str | None = None, archive: UnpackedArchive | None = None
) -> Draft:
    """Return the draft of a dataset whose part files are already written, and store its source files."""
    schema = schema_of(pq.read_schema(read.parts[0].path))
    columns = frozenset(name for name in read.flagged if name is not None)
    return _draft(
        store,
        path,
        schema,
        parts=read.parts,
        doubt=Doubt(columns, None in read.flagged),
        report=read.report,
        origin=origin,
        archive=archive,
    )


def draft_of_parts_alone(read: Parts, text: str) -> Draft:
    """Return the draft of a dataset without source files."""
    columns = frozenset(name for name in read.flagged if name is not None)
    return Draft(
        schema_of(pq.read_schema(read.parts[0].path)),
        read.parts,
        text,
        doubt=Doubt(columns, None in read.flagged),
        caveats=as_problems(read.report.problems).as_caveats(),
        documents={DOCUMENT: read.report.as_document()},
        key=read.report.key,
    )


def draft_of_table(
    store: Store,
    run: Run,
    path: Path,
    loaded: Loaded,
    key: str | None,
    origin: str | None = None,
    archive: UnpackedArchive | None = None,
) -> Draft:
    """Return the draft of a dataset whose rows are in memory, and write its part files."""
    report = replace(loaded.report, problems=as_problems(loaded.report.problems), key=key)
    if key is not None:
        found = Problems.of(key_problems(loaded.table, key))
        report = replace(report, problems=Problems.joined([as_problems(report.problems), found]))
    schema = schema_of(loaded.table.schema)
    flags = _flags(as_problems(report.problems), loaded.doubtful)
    table = loaded.table
    for name, rows in flags.items():
        hit = np.zeros(table.num_rows, dtype=bool)
        hit[rows] = True
        table = table.append_column(_flag_column_of(schema, name), pa.array(hit))
    doubt = Doubt(frozenset(name for name in flags if name is not None), None in flags)
    return _draft(
        store,
        path,
        schema,
        parts=write_table(run.staging / "parts", table),
        doubt=doubt,
        report=report,
        origin=origin,
        archive=archive,
    )


def _flags(problems: Problems, doubtful: dict[str, Rows]) -> dict[str | None, Rows]:
    flags = dict(problems.flagged_rows())
    for name, rows in doubtful.items():
        if len(rows):
            flags[name] = np.union1d(flags.get(name, rows), rows)
    return flags


def _flag_column_of(schema: Schema, name: str | None) -> str:
    if name is None:
        return ROW_FLAG_COLUMN
    position = schema.position(name)
    assert position is not None, name
    return flag_column(position)


def _draft(
    store: Store,
    path: Path,
    schema: Schema,
    parts: tuple[PartFile, ...],
    doubt: Doubt,
    report: LoadReport,
    origin: str | None,
    archive: UnpackedArchive | None,
) -> Draft:
    """Return the draft. `origin` is where the data is from, if the file is only a copy."""
    if archive is not None:
        report, path = _report_on_archive(report, archive), archive.path
    kept: Sequence[SourceFacts | FileFacts] = [report.source] if archive else report.files or [report.source]
    sources = tuple(_keep(store, facts) for facts in kept)
    if origin is not None:
        files = tuple(replace(file, path=Path(file.path).name) for file in report.files)
        report = replace(report, source=replace(report.source, path=origin), files=files)
        sources = tuple(source for source in sources if source.copied)  # a reference would be to a copy that goes away
    return Draft(
        schema,
        parts,
        f"load {origin or path.name}",
        doubt=doubt,
        caveats=as_problems(report.problems).as_caveats(),
        documents={DOCUMENT: report.as_document()},
        sources=sources,
        key=report.key,
    )


def _report_on_archive(report: LoadReport, archive: UnpackedArchive) -> LoadReport:
    """Return the report on an archive, which is the source of all files that it holds."""
    source = report.source
    files = report.files or (FileFacts(source.path, source.sha256, source.bytes, 0, report.records),)
    problems = Problems.joined([Problems.of(archive.notes), as_problems(report.problems)])
    return replace(
        report,
        source=SourceFacts(str(archive.path.resolve()), hash_file(archive.path), archive.path.stat().st_size),
        files=tuple(replace(file, path=archive.name_of(file.path)) for file in files),
        problems=problems,
    )


def _keep(store: Store, facts: SourceFacts | FileFacts) -> SourceFile:
    source = store.add_file(Path(facts.path))
    if source.sha256 != facts.sha256:
        raise BadInput(f"The file {facts.path} changed while it was read.", "Load it again.")
    return source
