"""Finds what a program kept when it wrote the files that it, or another program, now reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow.compute as pc

from whence.derive.derive import derive
from whence.derive.request import Request
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.written_files import prints_of
from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store
from whence.workspace.adopted_names import DOCUMENT, Claim, find_name, plain_name
from whence.workspace.context import Context

_SELF_DESCRIBING = ("ParquetFileFormat", "OrcFileFormat")
"""Formats that give the rows back as they were written."""


def find_written(context: Context, leaf: ForeignLeaf) -> DatasetRecord | None:
    """Return the result whose files a leaf reads, or all results together if they were written in steps.

    None if other files are among them, or if reading gives other values than were written.
    """
    files = prints_of(leaf.files) if leaf.format in _SELF_DESCRIBING else frozenset()
    found, missing = [], set(files)
    for record, written in _results(context.store, leaf.schema) if files else ():
        if written and written <= missing:
            found.append(record)
            missing -= written
        if not missing:
            break
    if missing or not found or any(_loses_text(context.store, record, leaf) for record in found):
        return None
    return found[0] if len(found) == 1 else _united(context, leaf, found[::-1])


def _results(store: Store, wanted: Schema) -> Iterator[tuple[DatasetRecord, frozenset[str]]]:
    """Yield results of programs that have these columns, with the prints of the files that hold them."""
    for current in store.datasets():
        if current.origin != "dataset" or not _has_columns(current, wanted):
            continue
        for record in reversed(store.versions(current.name)):
            if _has_columns(record, wanted) and not isinstance(record, ForgottenRecord):
                document = store.document(record, DOCUMENT) or {}
                files = document.get("files")
                yield record, frozenset(files if isinstance(files, list) else ())


def _has_columns(record: DatasetRecord, wanted: Schema) -> bool:
    return sorted((each.name, each.type) for each in record.schema) == sorted((each.name, each.type) for each in wanted)


def _loses_text(store: Store, record: DatasetRecord, leaf: ForeignLeaf) -> bool:
    """Whether a column that names folders holds empty texts, which Spark reads as missing values."""
    texts = {field.name for field in leaf.schema if field.type == "string"}
    names = [each for each in leaf.partitions if each in texts]
    if not names:
        return False
    table = store.read(record, 0, record.rows, names)
    return any(pc.any(pc.equal(column, "")).as_py() for column in table.columns)


def _united(context: Context, leaf: ForeignLeaf, parts: Sequence[DatasetRecord]) -> DatasetRecord:
    """Return one dataset of all rows that several writes left in the same place."""
    claim = Claim(f"{plain_name(leaf.where)}_all", "step", leaf.place, leaf.fingerprint)
    name, known = find_name(context.store, claim)
    if known is not None and (context.store.document(known, DOCUMENT) or {}).get("fingerprint") == claim.fingerprint:
        return known
    first, *others = [context.engine.frame(each) for each in parts]
    united = first
    for other in others:
        united = united.unionByName(other)
    query = context.engine.read(united)
    return derive(context.derive, Request(query, name, "dataset", "", documents={DOCUMENT: claim.as_document()}))
