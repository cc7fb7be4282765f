"""Source files: stored unchanged, under the hash of their content."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from sqlalchemy import Connection, insert, select

from whence.model.errors import BadInput
from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.database import Database, now
from whence.store.draft import SourceFile
from whence.store.durable import HashingFile, hash_file, rename, write_file
from whence.store.layout import Layout

# Larger source files stay where they are: only path and hash are recorded.
COPY_LIMIT = 256 * 1024 * 1024
_CHUNK = 1 << 20


def add_file(database: Database, layout: Layout, path: Path) -> SourceFile:
    """Copy a file into the workspace, or only record path and hash if it is larger than 256 MB."""
    try:
        source = _copy(layout, path) if path.stat().st_size <= COPY_LIMIT else _refer(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    return _register(database, source)


def add_content(database: Database, layout: Layout, pieces: Iterable[memoryview]) -> SourceFile:
    """Store the content of a source file that lies nowhere else."""
    return _register(database, _write_copy(layout, pieces))


def _register(database: Database, source: SourceFile) -> SourceFile:
    known = (tables.files.c.sha256 == source.sha256) & (tables.files.c.path == source.path)
    with database.write("commit-source") as connection:
        if connection.scalar(select(tables.files.c.sha256).where(known)) is None:
            connection.execute(
                insert(tables.files).values(
                    sha256=source.sha256, path=source.path, size=source.size, copied=source.copied, added=now()
                )
            )
    return source


def paths_left_in_place(connection: Connection, dataset: DatasetId) -> list[str]:
    """Return where the source files of a dataset lie that were too large to be copied."""
    files, uses = tables.files.c, tables.dataset_files.c
    wanted = select(files.path).join(tables.dataset_files, uses.sha256 == files.sha256)
    return list(connection.scalars(wanted.where(uses.dataset_id == dataset, ~files.copied).order_by(files.path)))


def _copy(layout: Layout, path: Path) -> SourceFile:
    with path.open("rb") as original:
        return _write_copy(layout, iter(lambda: original.read(_CHUNK), b""))


def _write_copy(layout: Layout, chunks: Iterable[bytes | memoryview]) -> SourceFile:
    waiting = layout.temporary / f"source-{secrets.token_hex(8)}"

    def fill(file: HashingFile) -> None:
        for chunk in chunks:
            file.write(chunk)

    file = write_file(waiting, fill, "sync-source")
    target = layout.files / file.sha256
    if target.exists():
        waiting.unlink()
    else:
        rename(waiting, target, "rename-source")
    return SourceFile(file.sha256, file.size, str(target.relative_to(layout.root)))


def _refer(path: Path) -> SourceFile:
    return SourceFile(hash_file(path), path.stat().st_size, str(path.resolve()), copied=False)


def has_copy(connection: Connection, dataset: DatasetId) -> bool:
    """Return whether the workspace keeps a copy of a source file of this version."""
    uses, files = tables.dataset_files.c, tables.files.c
    wanted = select(files.path).join(tables.dataset_files, uses.sha256 == files.sha256)
    return connection.scalar(wanted.where(uses.dataset_id == dataset, files.copied).limit(1)) is not None


def kept_copies(connection: Connection, dataset: DatasetId) -> list[tuple[str, str]]:
    """Return the hash of each copied source file of this version, and its path in the workspace."""
    uses, files = tables.dataset_files.c, tables.files.c
    wanted = select(files.sha256, files.path).join(tables.dataset_files, uses.sha256 == files.sha256)
    rows = connection.execute(wanted.where(uses.dataset_id == dataset, files.copied).order_by(files.path))
    return [(row.sha256, row.path) for row in rows]


def sharing_sources(connection: Connection, ids: Sequence[DatasetId]) -> list[tuple[str, list[str]]]:
    """Return which of these versions share a kept source file with versions not among them, as labels."""
    uses, datasets, files = tables.dataset_files.c, tables.datasets.c, tables.files.c
    kept = select(files.sha256).where(files.copied)
    wanted = select(uses.sha256, datasets.id, datasets.name, datasets.version).where(uses.sha256.in_(kept))
    rows = connection.execute(wanted.join(tables.datasets, datasets.id == uses.dataset_id)).all()
    found = []
    for row in rows:
        others = [f"{each.name}@{each.version}" for each in rows if each.sha256 == row.sha256 and each.id not in ids]
        if row.id in ids and others:
            found.append((f"{row.name}@{row.version}", others))
    return found
