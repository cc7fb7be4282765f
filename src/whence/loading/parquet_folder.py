"""Folders of Parquet files: copied if small, read in place if large, read through Spark if subfolders are columns."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.loading.delimited import Parts
from whence.loading.folder import SUFFIXES, is_pattern, visible_files
from whence.loading.header import clean_names
from whence.loading.problem_table import Problems
from whence.loading.report import FileFacts, LoadReport, SourceFacts
from whence.model.errors import BadInput
from whence.store.parts import PartFile
from whence.store.referenced import refer_to
from whence.store.sources import COPY_LIMIT
from whence.store.types import is_storable

SUFFIX = ".parquet"


def parquet_files(path: Path) -> list[Path]:
    """Return the Parquet files of a folder or pattern, sorted, or none if there is delimited text among them."""
    if not (path.is_dir() or is_pattern(path)):
        return []
    found = visible_files(path)
    is_text = any(file.name.lower().endswith(SUFFIXES) for file in found)
    return [] if is_text else [file for file in found if file.name.lower().endswith(SUFFIX)]


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
    header, source, facts = tuple(_schema(files[0]).names), together(path, parts), file_facts(parts)
    rows = sum(part.rows for part in parts)
    report = LoadReport(rows, Problems.of(()), "", None, source, header=header, files=facts, options=options)
    return Parts(parts, report, frozenset())


def file_facts(parts: Sequence[PartFile]) -> tuple[FileFacts, ...]:
    """Return the facts about each file. Their rows follow each other."""
    starts = accumulate((part.rows for part in parts), initial=0)
    return tuple(
        FileFacts(part.path, part.sha256, part.size, start, part.rows)
        for start, part in zip(starts, parts, strict=False)
    )


def together(path: Path, parts: Sequence[PartFile]) -> SourceFacts:
    """Return the facts about several files as one source."""
    hashes = hashlib.sha256("".join(part.sha256 for part in parts).encode()).hexdigest()
    return SourceFacts(str(path.resolve()), hashes, sum(part.size for part in parts))


def _schema(file: Path) -> pa.Schema:
    try:
        return pq.read_schema(file).remove_metadata()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"The Parquet file {file} cannot be read: {error}.", "Get it again.") from error
