"""What is put right when a workspace is opened: runs that were cut off, their files, and rows without files."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy import select, update

from whence.store import tables
from whence.store.database import Database, now
from whence.store.layout import MANIFEST, Layout


def recover(database: Database, layout: Layout) -> None:
    """Bring folder and database into agreement; nothing that was acknowledged is touched."""
    _interrupt_old_runs(database)
    for folder in (layout.stagings, layout.temporary):
        _empty(folder)
    known = _mark_missing(database, layout)
    for folder in (layout.datasets, layout.lineages):
        _quarantine_unknown(folder, known, layout.quarantine / folder.name)


def _interrupt_old_runs(database: Database) -> None:
    cut_off = (tables.runs.c.state == "running") & (tables.runs.c.epoch < database.epoch)
    with database.write("commit-run") as connection:
        connection.execute(
            update(tables.runs).where(cut_off).values(state="interrupted", reason="whence stopped", finished=now())
        )


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _mark_missing(database: Database, layout: Layout) -> set[str]:
    """Note which datasets lost their folder (or have it back), and return all ids the database knows."""
    with database.read() as connection:
        rows = connection.execute(select(tables.datasets.c.id, tables.datasets.c.missing)).all()
    changed = [row.id for row in rows if row.missing == (layout.datasets / row.id / MANIFEST).exists()]
    if changed:
        with database.write("commit-run") as connection:
            for dataset in changed:
                chosen = update(tables.datasets).where(tables.datasets.c.id == dataset)
                connection.execute(chosen.values(missing=~tables.datasets.c.missing))
    return {row.id for row in rows}


def _quarantine_unknown(folder: Path, known: set[str], quarantine: Path) -> None:
    """A folder without a row was never acknowledged, but it is moved aside rather than deleted."""
    for entry in folder.iterdir():
        if entry.name not in known:
            quarantine.mkdir(parents=True, exist_ok=True)
            entry.rename(quarantine / entry.name)
