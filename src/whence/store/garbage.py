"""Garbage collection: moves files that nothing refers to into trash/<day>, and deletes them a week later.

Every dataset version stays until it is forgotten or its notebook is deleted. So garbage is what deleted notebooks made
and nothing uses, and what crashes and failed loads left: folders in quarantine, readable rests of damaged files, and
source files that no dataset was made from.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, delete, select

from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.database import Database
from whence.store.derived import Derived
from whence.store.dropped import delete_datasets, is_scratch, unused_datasets
from whence.store.durable import rename
from whence.store.layout import Layout, entries
from whence.store.owned import SCRATCH
from whence.store.pending_sheets import edited_versions
from whence.store.usage import size_of

YOUNG = timedelta(hours=24)
"""Minimum age of garbage. Anything younger may belong to work that is still in progress."""

KEPT_IN_TRASH = timedelta(days=7)


@dataclass(frozen=True)
class Garbage:
    """A file or folder that nothing refers to, and the reason it exists."""

    path: Path
    bytes: int
    why: str


def collect_garbage(database: Database, layout: Layout, *, dry_run: bool = True) -> tuple[Garbage, ...]:
    """Return all garbage. Unless it is a dry run, move it to the trash and delete trash that is a week old."""
    if dry_run:
        with database.read() as connection:
            return (*_find_garbage(connection, layout), *_expired(layout))
    expired = tuple(_expired(layout))
    for item in expired:
        shutil.rmtree(item.path, ignore_errors=True)
    # In a write transaction no run can begin, so a file found unused here cannot come into use before it is moved.
    with database.write("commit-garbage") as connection:
        found = tuple(_find_garbage(connection, layout))
        datasets = [DatasetId(item.path.name) for item in found if item.path.parent == layout.datasets]
        delete_datasets(connection, datasets)
        for item in found:
            if item.path.parent == layout.files:
                connection.execute(delete(tables.files).where(tables.files.c.sha256 == item.path.name))
            if item.path.parent != layout.datasets:
                _discard(layout, item.path)
    # Only now: a dataset without its folder is damage, a folder without its dataset is garbage the next time.
    _discard_datasets(layout, datasets)
    return (*found, *expired)


def drop_scratch(
    database: Database, layout: Layout, older: timedelta, only: Collection[DatasetId] | None = None
) -> None:
    """Move scratch datasets, or some of them, of at least this age to the trash, if nothing was made from them."""
    with database.read() as connection:
        if not _old_scratch(connection, layout, older, only):
            return  # the usual case, in which nothing is written
    with database.write("commit-garbage") as connection:
        chosen = _old_scratch(connection, layout, older, only)
        delete_datasets(connection, chosen)
    _discard_datasets(layout, chosen)


def _old_scratch(
    connection: Connection, layout: Layout, older: timedelta, only: Collection[DatasetId] | None
) -> list[DatasetId]:
    made = select(tables.runs.c.id).where(tables.runs.c.cell_run == SCRATCH).limit(1)
    if connection.scalar(made) is None or _is_anything_running(connection):
        return []
    unused = unused_datasets(connection, edited_versions(layout))
    scratch = is_scratch(connection, unused)
    scratch = scratch if only is None else scratch.intersection(only)
    rows = connection.execute(select(tables.datasets.c.id, tables.datasets.c.created)) if scratch else ()
    created = {row.id: row.created for row in rows}
    return [each for each in unused if each in scratch and _age(created[each]) >= older]


def _discard_datasets(layout: Layout, datasets: list[DatasetId]) -> None:
    for dataset in datasets:
        for path in (layout.dataset(dataset), layout.lineage(dataset)):
            if path.exists():
                _discard(layout, path)
        Derived(layout.temporary, layout.shared_temporary).drop(dataset)


def _is_anything_running(connection: Connection) -> bool:
    """Whether any run is in progress, which may be about to refer to any file."""
    running = select(tables.runs.c.id).where(tables.runs.c.state == "running").limit(1)
    return connection.scalar(running) is not None


def _find_garbage(connection: Connection, layout: Layout) -> Iterator[Garbage]:
    if _is_anything_running(connection):
        return
    # Age does not matter here: uses of a dataset are in the database, and no run is in progress (see above).
    unused = unused_datasets(connection, edited_versions(layout))
    scratch = is_scratch(connection, unused)
    for dataset in unused:
        path = layout.dataset(dataset)
        why = "drawn, but not kept" if dataset in scratch else "made by a notebook that was deleted"
        yield Garbage(path, size_of(path) + size_of(layout.lineage(dataset)), why)
    for kind in entries(layout.quarantine):
        for path in entries(kind):
            if _is_old(path):
                yield Garbage(path, size_of(path), "left by a run that was cut off")
    for path in entries(layout.asides):
        if _is_old(path):
            yield Garbage(path, size_of(path), "what could be read of a damaged file")
    used = set(connection.scalars(select(tables.dataset_files.c.sha256)))
    for path in entries(layout.files):
        if path.name not in used and _is_old(path):
            yield Garbage(path, size_of(path), "a source file no dataset was made from")


def _discard(layout: Layout, path: Path) -> None:
    folder = layout.trash_for(path) / _today().isoformat() / path.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / path.name
    if target.exists():
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    rename(path, target, "rename-garbage")


def _expired(layout: Layout) -> Iterator[Garbage]:
    for folder in (day for trash in layout.trashes for day in entries(trash)):
        if _day(folder) <= _today() - KEPT_IN_TRASH:
            yield Garbage(folder, size_of(folder), "in the trash for a week")


def _is_old(path: Path) -> bool:
    age = time.time() - path.stat().st_mtime
    return age > YOUNG.total_seconds()


def _age(created: str) -> timedelta:
    return datetime.now(UTC) - datetime.fromisoformat(created)


def _today() -> date:
    return datetime.now(UTC).date()


def _day(folder: Path) -> date:
    try:
        return date.fromisoformat(folder.name)
    except ValueError:
        # A folder that is not named by a day never expires.
        return _today()
