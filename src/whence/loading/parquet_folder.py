"""Folders of Parquet files: copied if small, read in place if large, read through Spark if subfolders are columns."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading.delimited import Parts
from whence.loading.folder import SUFFIXES, is_pattern, visible_files
from whence.loading.header import clean_names
from whence.loading.problem_table import Problems
from whence.loading.report import FileFacts, LoadReport, SourceFacts
from whence.loading.table_formats import table_within
from whence.loading.typed_formats import TYPED_SUFFIXES
from whence.model.errors import BadInput
from whence.store.referenced import refer_to
from whence.store.sources import COPY_LIMIT
from whence.store.types import is_storable

SUFFIX = ".parquet"


def typed_files(path: Path) -> list[Path]:
    """Return the files with types of a folder or pattern, sorted, or none if there is delimited text among them."""
    if not (path.is_dir() or is_pattern(path)):
        return []
    if path.is_dir() and (found_table := table_within(path)) is not None:
        inner, form = found_table
        raise BadInput(f"The folder {path} holds {form.name}, {inner.relative_to(path)}.", "Load that folder.")
    found = visible_files(path)
    is_text = any(file.name.lower().endswith(SUFFIXES) for file in found)
    return [] if is_text else [file for file in found if file.name.lower().endswith(TYPED_SUFFIXES)]


def parquet_files(path: Path) -> list[Path]:
    """Return the Parquet files of a folder or pattern, or none if there are files of another kind among them."""
    found = typed_files(path)
    return found if all(file.name.lower().endswith(SUFFIX) for file in found) else []


def has_partitions(path: Path, files: Sequence[Path]) -> bool:
    """Whether subfolders are columns, as in `year=2024/part.parquet`."""
    if is_pattern(path):
        return False
    return any("=" in folder.name for file in files for folder in file.relative_to(path).parents)


def is_large(files: Sequence[Path]) -> bool:
    """Whether a copy would take more space than a source file may."""
    return sum(file.stat().st_size for file in files) > COPY_LIMIT


def cannot_be_referenced(files: Sequence[Path]) -> str | None:
    """Return why the files cannot be read in place, or None if they can."""
    first = _schema(files[0])
    if clean_names(list(first.names)) != list(first.names):
        return "a column has a name that cannot be used"
    wrong = next((field for field in first if not is_storable(field.type)), None)
    if wrong is not None:
        return f"the type {wrong.type} of column {wrong.name} is not stored as it is"
    other = next((file for file in files[1:] if not _schema(file).equals(first)), None)
    return None if other is None else f"{other.name} has other columns than {files[0].name}"


def refer(path: Path, files: Sequence[Path], *, is_asked: bool) -> Parts:
    """Return the files as the parts of a dataset, in place."""
    parts = tuple(refer_to(file) for file in files)
    options = {"in_place": True} if is_asked else {}
    pinned = [FileFacts(part.path, part.sha256, part.size, 0, part.rows) for part in parts]
    header, source = tuple(_schema(files[0]).names), combine_facts(path, pinned)
    facts, rows = file_facts(pinned, [part.rows for part in parts]), sum(part.rows for part in parts)
    report = LoadReport(rows, Problems.of(()), "", None, source, header=header, files=facts, options=options)
    return Parts(parts, report, frozenset())


def file_facts(files: Sequence[FileFacts], counts: Sequence[int]) -> tuple[FileFacts, ...]:
    """Return the facts about each file with the numbers of rows. Their rows follow each other."""
    starts = accumulate(counts, initial=0)
    return tuple(
        replace(file, first_row=start, rows=rows) for start, file, rows in zip(starts, files, counts, strict=False)
    )


def combine_facts(path: Path, files: Sequence[FileFacts]) -> SourceFacts:
    """Return the facts about several files as one source."""
    hashes = hashlib.sha256("".join(file.sha256 for file in files).encode()).hexdigest()
    return SourceFacts(str(path.resolve()), hashes, sum(file.bytes for file in files))


def _schema(file: Path) -> pa.Schema:
    try:
        return pq.read_schema(file).remove_metadata()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"The Parquet file {file} cannot be read: {error}.", "Get it again.") from error
