"""Source files: stored unchanged, under the hash of their content."""

from __future__ import annotations

import secrets
from pathlib import Path

from sqlalchemy import insert, select

from whence.model.errors import BadInput
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
    known = (tables.files.c.sha256 == source.sha256) & (tables.files.c.path == source.path)
    with database.write("commit-source") as connection:
        if connection.scalar(select(tables.files.c.sha256).where(known)) is None:
            connection.execute(
                insert(tables.files).values(
                    sha256=source.sha256, path=source.path, size=source.size, copied=source.copied, added=now()
                )
            )
    return source


def _copy(layout: Layout, path: Path) -> SourceFile:
    waiting = layout.temporary / f"source-{secrets.token_hex(8)}"

    with path.open("rb") as original:

        def fill(file: HashingFile) -> None:
            while chunk := original.read(_CHUNK):
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
