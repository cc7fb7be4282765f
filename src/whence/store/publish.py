"""Publishes a dataset version in crash-safe order: files, manifest, rename, then one database transaction."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import select

from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, InternalError
from whence.model.schema import INTERNAL_PREFIX, Schema
from whence.store import records, runs, tables
from whence.store.arrays import write_arrays
from whence.store.caveat_file import write_caveats
from whence.store.database import Database
from whence.store.draft import Draft
from whence.store.durable import HashingFile, Syncs, rename, write_json
from whence.store.footer import read_footer
from whence.store.layout import CAVEATS, ROWS, Layout, part_path
from whence.store.manifest import Manifest, StoredFile, StoredPart, write_manifest
from whence.store.parts import PartFile
from whence.store.runs import Run

_STEM = re.compile(r"[A-Za-z0-9_.-]+")


def publish(
    database: Database, layout: Layout, run: Run, draft: Draft, late_syncs: Syncs | None = None
) -> DatasetRecord:
    """Publish the staged files as a dataset version. After this returns, the version survives any crash.

    With `late_syncs` it survives a power cut only after `late_syncs.wait()` and the next promised transaction. So this
    is for hidden versions, which the next opening removes.
    """
    _check_names(draft.schema)
    if late_syncs is not None:
        return _publish(database, layout, run, draft, late_syncs, is_promised=False)
    with Syncs() as syncs:
        return _publish(database, layout, run, draft, syncs, is_promised=True)


def _publish(
    database: Database, layout: Layout, run: Run, draft: Draft, syncs: Syncs, *, is_promised: bool
) -> DatasetRecord:
    folder, lineage = run.staging / "dataset", run.staging / "lineage"
    folder.mkdir()
    parts = _place_parts(run.staging, folder, draft, syncs)
    files = _write_files(folder, draft, syncs), _write_lineage(lineage, draft, syncs)
    manifest = Manifest(sum(p.rows for p in parts), parts, *files)
    manifest_file = write_manifest(folder, run, draft, manifest, syncs)
    syncs.directory(folder)
    # Everything must be on the disk before the rename makes it visible under its final name.
    if is_promised:
        syncs.wait()
    try:
        if draft.arrays:
            rename(lineage, layout.lineage(run.dataset_id), "rename-lineage", syncs)
        rename(folder, layout.dataset(run.dataset_id), "rename-dataset", syncs)
        # The renames must be on the disk before the commit: the database never names a folder that a power cut could
        # undo.
        if is_promised:
            syncs.wait()
        with database.write("commit-dataset", is_promised=is_promised, only_adds=True) as connection:
            record = records.insert_record(connection, run, draft, manifest.rows, manifest_file.sha256)
            runs.finish(connection, run.id, "done")
    # Ctrl-C as well: a folder that the database does not know would lie among the datasets until the next start.
    except BaseException:
        _withdraw(database, layout, run)
        raise
    shutil.rmtree(run.staging, ignore_errors=True)
    return record


def _withdraw(database: Database, layout: Layout, run: Run) -> None:
    """Move the folders back into staging, unless the commit did succeed."""
    # The commit may have succeeded although an exception followed it, so the database decides.
    with database.read() as connection:
        if connection.scalar(select(tables.datasets.c.id).where(tables.datasets.c.id == run.dataset_id)) is not None:
            return
    for folder in (layout.dataset(run.dataset_id), layout.lineage(run.dataset_id)):
        if folder.exists():
            folder.rename(run.staging / f"withdrawn-{folder.parent.name}")


def _check_names(schema: Schema) -> None:
    seen: set[str] = set()
    for name in schema.names:
        if name.startswith(INTERNAL_PREFIX):
            raise BadInput(
                f"A column cannot be named {name}.", f"Names that begin with {INTERNAL_PREFIX} are whence's own."
            )
        # Spark resolves column names without regard to case.
        if name.lower() in seen:
            raise BadInput(f"Two columns are named {name} (case does not count).", "Give one of them another name.")
        seen.add(name.lower())


def _place_parts(staging: Path, folder: Path, draft: Draft, syncs: Syncs) -> tuple[StoredPart, ...]:
    """Move each part to the path for its first row id. Leave out empty parts, unless all are empty."""
    filled = [part for part in draft.parts if part.rows] or list(draft.parts[:1])
    if not filled:
        raise InternalError("A dataset without rows still needs one empty part.")
    placed, offset = [], 0
    for part in filled:
        placed.append(_place_part(staging, folder, part, offset=offset, schema=draft.schema, syncs=syncs))
        offset += part.rows
    syncs.directory(folder / ROWS)
    return tuple(placed)


def _place_part(staging: Path, folder: Path, part: PartFile, offset: int, schema: Schema, syncs: Syncs) -> StoredPart:
    source, relative = staging / part.path, part_path(offset)
    size, footer = read_footer(source)
    _check_part(part, size, pq.read_metadata(pa.BufferReader(footer.data)), schema)
    target = folder / relative
    target.parent.mkdir(parents=True)
    if part.changed is None:
        rename(source, target, "rename-part", syncs)
    else:
        target.symlink_to(source)
        syncs.directory(target.parent)
    return StoredPart(
        path=relative,
        offset=offset,
        rows=part.rows,
        size=size,
        sha256=part.sha256,
        footer_size=len(footer.data),
        footer_sha256=footer.sha256,
        changed=part.changed,
    )


def _check_part(part: PartFile, size: int, found: pq.FileMetaData, schema: Schema) -> None:
    names = [name for name in found.schema.to_arrow_schema().names if not name.startswith(INTERNAL_PREFIX)]
    if size != part.size or found.num_rows != part.rows:
        raise InternalError(
            f"Part {part.path} has {found.num_rows} rows in {size} bytes, not {part.rows} in {part.size}."
        )
    if names != list(schema.names):
        raise InternalError(f"Part {part.path} has the columns {names}, not {list(schema.names)}.")


def _write_files(folder: Path, draft: Draft, syncs: Syncs) -> dict[str, StoredFile]:
    written = {}
    if len(draft.caveats):
        written[CAVEATS] = _stored(write_caveats(folder / CAVEATS, draft.caveats, syncs))
    for name, content in draft.documents.items():
        if not _STEM.fullmatch(name) or name == "manifest":
            raise InternalError(f"A document cannot be named {name}.")
        written[f"{name}.json"] = _stored(write_json(folder / f"{name}.json", content, "sync-document", syncs))
    return written


def _write_lineage(folder: Path, draft: Draft, syncs: Syncs) -> dict[str, StoredFile]:
    if not draft.arrays:
        return {}
    folder.mkdir()
    written = {}
    for stem, arrays in draft.arrays.items():
        if not _STEM.fullmatch(stem):
            raise InternalError(f"An array file cannot be named {stem}.")
        written[f"{stem}.arrow"] = _stored(write_arrays(folder / f"{stem}.arrow", arrays, syncs))
    syncs.directory(folder)
    return written


def _stored(file: HashingFile) -> StoredFile:
    return StoredFile(file.size, file.sha256)
