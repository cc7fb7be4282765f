"""Takes the rows of one leaf of a plan into the workspace as a source, with the columns and types the program reads."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq

from whence.derive.derivation import begin_run
from whence.engine.foreign_leaf import ForeignLeaf
from whence.engine.vectors import holds_vectors
from whence.engine.worker.write_parts import OutputLayout
from whence.loading.header import clean_names
from whence.loading.parquet_folder import cannot_be_referenced, is_large
from whence.loading.report import DOCUMENT as REPORT
from whence.loading.report import LoadReport, SourceFacts
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile
from whence.model.schema import Field, Schema
from whence.store.draft import Draft
from whence.store.parts import PartFile, adopt_part
from whence.store.referenced import refer_to
from whence.store.runs import Run
from whence.store.store import Store
from whence.store.types import schema_of
from whence.workspace.adopted_names import DOCUMENT, Claim, find_name, plain_name
from whence.workspace.context import Context
from whence.workspace.written_results import find_written

_SPARK_PARQUET = "ParquetFileFormat"


def adopt_leaf(context: Context, leaf: ForeignLeaf) -> DatasetRecord:
    """Return the source of a leaf: the newest version under its name if the files are unchanged, else a new one."""
    store, claim = context.store, _claim(leaf)
    if (result := find_written(context, leaf)) is not None:
        return result
    name, known = find_name(store, claim)
    if known is not None and claim.fingerprint and _is_still(store, known, claim):
        return known
    with begin_run(store, "load", name) as run:
        draft = _draft(context, run, leaf, claim)
        if known is not None and not claim.fingerprint and _has_same_rows(store, known, draft):
            store.abandon(run, "the same rows are there")
            return known
        return store.publish(run, draft)


def _claim(leaf: ForeignLeaf) -> Claim:
    place = leaf.place if leaf.where else json.dumps([[each.name, each.type] for each in leaf.schema])
    name = plain_name(leaf.where) if leaf.where else {"Range": "numbers"}.get(leaf.operator, "rows")
    return Claim(name, "source", hashlib.sha256(place.encode()).hexdigest()[:32], leaf.fingerprint)


def _is_still(store: Store, known: DatasetRecord, claim: Claim) -> bool:
    document = store.document(known, DOCUMENT)
    if document is None or document["fingerprint"] != claim.fingerprint:
        return False
    try:
        store.check_references(known)
    except DamagedFile:
        return False
    return True


def _has_same_rows(store: Store, known: DatasetRecord, draft: Draft) -> bool:
    before = [(part.rows, part.sha256) for part in store.manifest(known).parts]
    return known.schema == draft.schema and before == [(part.rows, part.sha256) for part in draft.parts]


def _draft(context: Context, run: Run, leaf: ForeignLeaf, claim: Claim) -> Draft:
    names = clean_names(list(leaf.schema.names))
    schema = Schema(tuple(Field(name, field.type) for name, field in zip(names, leaf.schema, strict=True)))
    parts = _parquet_parts(run, leaf, schema) or _written_parts(context, run, leaf, names)
    where = (leaf.table and f"table {leaf.table}") or "; ".join(map(_shown, leaf.roots)) or leaf.operator
    size = sum(file.stat().st_size for file in leaf.files)
    source = SourceFacts(where, leaf.fingerprint, size)
    report = LoadReport(sum(part.rows for part in parts), (), "", None, source, header=leaf.schema.names)
    return Draft(
        schema=schema,
        parts=parts,
        text=f"read by a program: {where}",
        documents={REPORT: report.as_document(), DOCUMENT: claim.as_document()},
    )


def _shown(root: str) -> str:
    return "/" + root.removeprefix("file:").lstrip("/") if root.startswith("file:") else root


def _written_parts(context: Context, run: Run, leaf: ForeignLeaf, names: Sequence[str]) -> tuple[PartFile, ...]:
    """Let Spark read the rows as it does for the program, and write them as parts."""
    layout = OutputLayout(tuple(names), (), False, False, 0)
    frame = context.engine.leaf_frame(leaf).toDF(*names)
    return context.engine.run(frame, layout, run.staging / "parts").parts


def _parquet_parts(run: Run, leaf: ForeignLeaf, schema: Schema) -> tuple[PartFile, ...]:
    """Return Parquet files that hold the very rows as parts: copies, or references if they are large."""
    files = sorted(leaf.files)
    if leaf.format != _SPARK_PARQUET or leaf.partitions or not files or schema.names != leaf.schema.names:
        return ()
    if any(holds_vectors(field.type) for field in schema) or cannot_be_referenced(files) is not None:
        return ()
    if schema_of(pq.read_schema(files[0])) != schema:
        return ()
    if is_large(files):
        return tuple(refer_to(file) for file in files)
    return tuple(_copy(run.staging / "parts", number, file) for number, file in enumerate(files))


def _copy(folder: Path, number: int, file: Path) -> PartFile:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"part-{number:05d}.parquet"
    shutil.copyfile(file, target)
    return adopt_part(target, pq.read_metadata(target).num_rows)
