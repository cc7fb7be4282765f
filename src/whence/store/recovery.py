"""Repairs at opening: marks interrupted runs, removes their files, and moves unknown folders to quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import delete, select, update

from whence.store import tables
from whence.store.cell_runs import interrupt_old_cell_runs
from whence.store.certificates import finish_certificates
from whence.store.database import Database, now
from whence.store.derived import KINDS, Derived, remove
from whence.store.forget import finish
from whence.store.layout import MANIFEST, Layout
from whence.store.replace import discard_replacements


def recover(database: Database, layout: Layout) -> None:
    """Make folder and database agree. Nothing that was acknowledged to the user is touched."""
    _interrupt_old_runs(database)
    interrupt_old_cell_runs(database)
    finish(database, layout)
    discard_replacements(database, layout)
    finish_certificates(database, layout)
    _drop_lost_sources(database, layout)
    _empty(layout.stagings)
    # Spark outlives a workspace that is closed and opened again by the same process, and so must its scratch files.
    for folder in layout.temporaries:
        _empty(folder, keep=(*KINDS, layout.spark_scratch.name))
    known = _mark_missing(database, layout)
    Derived(layout.temporary, layout.shared_temporary).tidy(known)
    for folder in (layout.datasets, layout.lineages):
        _quarantine_unknown(folder, known, layout.quarantine / folder.name)


def _interrupt_old_runs(database: Database) -> None:
    cut_off = (tables.runs.c.state == "running") & (tables.runs.c.epoch < database.epoch)
    with database.write("commit-run") as connection:
        connection.execute(
            update(tables.runs).where(cut_off).values(state="interrupted", reason="whence stopped", finished=now())
        )


def _drop_lost_sources(database: Database, layout: Layout) -> None:
    """Delete records of unused source files that are gone: a crash interrupted their move to the trash."""
    files = tables.files.c
    unused = files.sha256.not_in(select(tables.dataset_files.c.sha256)) & files.copied
    with database.read() as connection:
        paths = list(connection.scalars(select(files.path).where(unused)))
    lost = [path for path in paths if not (layout.root / path).exists()]
    if lost:
        with database.write("commit-run") as connection:
            connection.execute(delete(tables.files).where(files.path.in_(lost)))


def _empty(folder: Path, keep: Sequence[str] = ()) -> None:
    for entry in folder.iterdir():
        if entry.name not in keep:
            remove(entry)


def _mark_missing(database: Database, layout: Layout) -> set[str]:
    """Record which datasets lost their folder, or have it back. Return all ids that the database knows."""
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
    """Move folders that the database does not know to quarantine. They were never acknowledged, yet are not deleted."""
    for entry in folder.iterdir():
        if entry.name not in known:
            quarantine.mkdir(parents=True, exist_ok=True)
            entry.rename(quarantine / entry.name)
