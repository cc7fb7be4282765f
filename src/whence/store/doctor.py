"""Checks of a workspace folder: everything that `whence doctor` verifies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pyarrow.parquet as pq
from sqlalchemy import select

from whence.model.errors import DamagedFile, WhenceError
from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.block_file import check_blocks
from whence.store.derived import KINDS, Kind
from whence.store.durable import hash_file
from whence.store.forgotten import ForgottenRecord
from whence.store.hash_list import check_hash_list
from whence.store.index_file import IndexFile
from whence.store.late_notes import read_note
from whence.store.layout import HIDDEN_KEYS, entries
from whence.store.manifest import Manifest, read_manifest
from whence.store.profile import read_profile
from whence.store.referenced import changed_references
from whence.store.rid_file import check_rids
from whence.store.store import Store
from whence.store.uploads import damaged_uploads

_HIDDEN = f"{HIDDEN_KEYS}.arrow"

_READERS: dict[Kind, Callable[[Path], object]] = {
    "views": check_rids,
    "profiles": read_profile,
    "rows": check_blocks,
    "index": lambda path: IndexFile(path).check(),
    "deferred": lambda path: IndexFile(path).check(),
    "recomputed": lambda path: IndexFile(path).check(),
    "prepared": lambda path: IndexFile(path).check(),
    "flags": check_hash_list,
    "notes": read_note,
    "ranges": check_hash_list,
}


def doctor(store: Store) -> list[str]:
    """Return what is wrong with the workspace, one sentence each, or an empty list."""
    checks = (_folders, _removals, _runs, _sources, _uploads, _datasets, _derived, _backups)
    return [sentence for check in checks for sentence in check(store)]


def _folders(store: Store) -> Iterator[str]:
    with store.database.read() as connection:
        known = set(connection.scalars(select(tables.datasets.c.id)))
        running = set(connection.scalars(select(tables.runs.c.id).where(tables.runs.c.state == "running")))
    layout = store.layout
    for folder, ids in ((layout.datasets, known), (layout.lineages, known), (layout.stagings, running)):
        for entry in sorted(folder.iterdir()):
            if entry.name not in ids:
                yield f"{folder.name}/{entry.name} belongs to nothing the database knows."


def _removals(store: Store) -> Iterator[str]:
    with store.database.read() as connection:
        for path in connection.scalars(select(tables.removals.c.path)):
            yield f"{path} was forgotten and is still to be removed."


def _runs(store: Store) -> Iterator[str]:
    with store.database.read() as connection:
        done = set(connection.scalars(select(tables.runs.c.id).where(tables.runs.c.state == "done")))
        made = set(connection.scalars(select(tables.datasets.c.run_id)))
        old = (tables.runs.c.state == "running") & (tables.runs.c.epoch < store.database.epoch)
        cut_off = list(connection.scalars(select(tables.runs.c.id).where(old)))
    yield from (f"Run {run} is done but made no dataset." for run in sorted(done - made))
    yield from (f"Run {run} made a dataset but is not done." for run in sorted(made - done))
    yield from (f"Run {run} was cut off and is still called running." for run in cut_off)


def _uploads(store: Store) -> Iterator[str]:
    for path in damaged_uploads(store.layout):
        yield f"{path.relative_to(store.root)} is not what was uploaded."


def _sources(store: Store) -> Iterator[str]:
    with store.database.read() as connection:
        files = connection.execute(select(tables.files)).all()
        used = set(connection.scalars(select(tables.dataset_files.c.sha256)))
    yield from (f"Source {sha256} is used but not recorded." for sha256 in used - {file.sha256 for file in files})
    for file in files:
        yield from _compare(store.root / file.path, file.size, file.sha256)


def _datasets(store: Store) -> Iterator[str]:
    with store.database.read() as connection:
        rows = connection.execute(select(tables.datasets)).all()
    for row in rows:
        try:
            manifest = read_manifest(store.layout.dataset(row.id), row.manifest_sha256)
        except WhenceError as error:
            yield f"{row.name}@{row.version}: {error.message}"
            continue
        if manifest.rows != row.rows:
            yield f"{row.name}@{row.version} has {row.rows} rows, its manifest says {manifest.rows}."
        lineage = store.layout.lineage(row.id)
        if _HIDDEN in manifest.lineage and not (lineage / _HIDDEN).exists() and _lost_a_source(store, row.id):
            manifest = replace(manifest, lineage={n: f for n, f in manifest.lineage.items() if n != _HIDDEN})
        yield from _files(store.layout.dataset(row.id), lineage, manifest)


def _lost_a_source(store: Store, dataset: str) -> bool:
    """Whether a dataset it was made from, at any distance, was forgotten, which also removed its hidden keys."""
    waiting, seen = [DatasetId(dataset)], set[DatasetId]()
    while waiting:
        record = store.by_id(waiting.pop())
        if isinstance(record, ForgottenRecord):
            return True
        try:
            document = store.document(record, "lineage") or {}
        except DamagedFile:
            continue  # reported by another check
        waiting += [DatasetId(str(each)) for each in cast("list[str]", document.get("sources", [])) if each not in seen]
        seen.update(waiting)
    return False


def _files(folder: Path, lineage: Path, manifest: Manifest) -> Iterator[str]:
    offset = 0
    for part in manifest.parts:
        if part.offset != offset:
            yield f"{folder / part.path} begins at row {part.offset}, not {offset}."
        offset += part.rows
        if part.changed is not None:
            # Files outside the workspace are checked by `changed_references` below. Their hash covers the footer alone.
            continue
        wrong = list(_compare(folder / part.path, part.size, part.sha256))
        yield from wrong
        if not wrong and pq.read_metadata(folder / part.path).num_rows != part.rows:
            yield f"{folder / part.path} does not hold {part.rows} rows."
    if offset != manifest.rows:
        yield f"{folder}: the parts hold {offset} rows, the manifest says {manifest.rows}."
    yield from (f"{path} {reason}." for path, reason in changed_references(folder, manifest))
    for base, files in ((folder, manifest.files), (lineage, manifest.lineage)):
        for name, file in files.items():
            yield from _compare(base / name, file.size, file.sha256)


def _derived(store: Store) -> Iterator[str]:
    """Check the derived files. A damaged one is made again when it is needed."""
    with store.database.read() as connection:
        known = set(connection.scalars(select(tables.datasets.c.id)))
    for kind in KINDS:
        for folder in entries(store.derived.folder(kind)):
            if folder.name not in known:
                yield f"{folder} belongs to nothing the database knows."
            for path in entries(folder):
                try:
                    # Files that are still being written have a suffix.
                    if not path.suffix:
                        _READERS[kind](path)
                except DamagedFile as error:
                    yield error.message


def _backups(store: Store) -> Iterator[str]:
    for seal in store.layout.backups.glob("*.sha256"):
        database = seal.with_suffix(".db")
        if database.exists() and hash_file(database) != seal.read_text(errors="replace").strip():
            yield f"{database} is not what was written."


def _compare(path: Path, size: int, sha256: str) -> Iterator[str]:
    try:
        if path.stat().st_size != size or hash_file(path) != sha256:
            yield f"{path} is not what was written."
    except OSError as error:
        yield f"{path} cannot be read: {error.strerror}."
