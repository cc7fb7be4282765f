"""The seal of meta.db: its hash, written beside it when a workspace is closed and removed when it is opened.

SQLite keeps no checksums of its own, so a flipped bit inside a value would look like data. While the workspace is
closed, the seal covers every byte. After a crash there is none, and SQLite's own check of its structure must do.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from whence.model.errors import DamagedFile
from whence.store.durable import hash_file, sync_directory, writing


def break_seal(database: Path) -> bool:
    """Compare the database with its seal, and remove the seal before any write. Return whether there was one."""
    seal = _seal_of(database)
    try:
        sealed = seal.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return False
    log = database.with_name(f"{database.name}-wal")
    # If the log still holds pages, the database is file and log together, and the hash covers the file alone.
    is_whole = not log.exists() or log.stat().st_size == 0
    if is_whole and database.exists() and hash_file(database) != sealed:
        hint = f"Restore meta.db from a copy; or, to go on with it as it is, delete {seal}."
        raise DamagedFile(f"The workspace database {database} is not what was written.", hint)
    with writing(seal):
        seal.unlink()
        sync_directory(seal.parent)  # a seal that comes back after a crash would call a good database damaged
    return True


def put_seal(database: Path) -> None:
    """Write the seal of a closed database. If the disk fails, the database stays unsealed."""
    seal = _seal_of(database)
    waiting = seal.with_suffix(".new")
    with suppress(OSError):
        descriptor = os.open(waiting, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            os.write(descriptor, f"{hash_file(database)}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        waiting.replace(seal)
        sync_directory(seal.parent)


def _seal_of(database: Path) -> Path:
    return database.with_suffix(".seal")
