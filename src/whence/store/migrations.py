"""Migrations of meta.db: every change of its tables, in order, each written once and never edited.

This is a short list instead of Alembic. A workspace is one SQLite file with one owner and one line of versions, so
there are no branches, no downgrades and no environment to configure. A step must also run inside the transaction that
raises the workspace's format, which Alembic's own version table would split in two.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine.interfaces import DBAPICursor

from whence.model.errors import NotSupported
from whence.store.durable import hash_file, sync_directory, writing
from whence.store.faults import around

OLDEST = 7
"""The format of the first release. Only pre-releases made folders of earlier formats."""


def _add_run_events(connection: Connection) -> None:
    """Add the table of events that a receiver of OpenLineage has yet to hear of."""
    connection.execute(
        text(
            "create table run_events (sequence integer not null primary key autoincrement, kind VARCHAR not null, "
            "run_id VARCHAR not null, type VARCHAR not null, time VARCHAR not null, state VARCHAR not null)"
        )
    )
    connection.execute(text("create index ix_run_events_run_id on run_events (run_id)"))


STEPS: tuple[Callable[[Connection], None], ...] = (_add_run_events,)
"""Step n (counted from 0) brings a workspace of format OLDEST + n to the next one."""


def newest_format() -> int:
    """Return the format that this whence writes."""
    return OLDEST + len(STEPS)


def format_of(connection: Connection, folder: Path) -> int | None:
    """Return the format of the workspace in a folder, or None if the database has no tables yet."""
    if not inspect(connection).has_table("workspace"):
        return None
    found: int | None = connection.scalar(text("select format from workspace"))
    if found is not None and found > newest_format():
        raise NotSupported(
            f"This workspace has format {found}; this whence reads up to {newest_format()}.", "Use a newer whence."
        )
    if found is not None and found < OLDEST:
        raise NotSupported(f"{folder} was made by a pre-release of whence; export it with that version.")
    return found


def migrate(connection: Connection, found: int) -> None:
    """Bring a workspace to the newest format, inside the caller's transaction."""
    for step in STEPS[found - OLDEST :]:
        step(connection)
    connection.execute(text("update workspace set format = :format"), {"format": newest_format()})


def back_up(cursor: DBAPICursor, database: Path, found: int) -> Path:
    """Copy the database before a migration changes it, with the hash of the copy beside it."""
    folder = database.parent / "backups"
    target = folder / f"meta-format-{found}.db"
    waiting = target.with_suffix(".new")
    with writing(target), around("back-up-database"):
        folder.mkdir(exist_ok=True)
        # `VACUUM INTO` refuses a file that exists, and a crash may have left one.
        waiting.unlink(missing_ok=True)
        cursor.execute("VACUUM INTO ?", (str(waiting),))
        # The hash comes first, so that a backup under its final name always has one.
        target.with_suffix(".sha256").write_text(hash_file(waiting) + "\n")
        waiting.replace(target)
        sync_directory(folder)
    return target
