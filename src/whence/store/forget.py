"""Removes dataset versions for good, in an order that survives a crash.

One transaction deletes the datasets from the catalogue and records the paths to remove. Then whence removes these
paths, rewrites the database without the deleted rows, and clears the list. If the process dies in between, either
nothing is forgotten, or the next opening finishes the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection, delete, insert, select, update

from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.cell_runs import forget_cell_runs
from whence.store.database import Database, now
from whence.store.derived import KINDS, remove
from whence.store.dropped import is_scratch
from whence.store.durable import Syncs
from whence.store.faults import around
from whence.store.layout import HIDDEN_KEYS, Layout
from whence.store.leftovers import leftovers_of
from whence.store.pending_sheets import pending_sheets_of
from whence.store.uploads import uploads_of


def forget(database: Database, layout: Layout, ids: Sequence[DatasetId], *, also: bool, keep: bool) -> list[DatasetId]:
    """Remove these versions for good and return all removed ids. Raise an error if others were made from them."""
    with database.write("commit-forget") as connection:
        refuse_while_running(connection)
        everything = dependants_of(connection, ids)
        looked_at = _only_looked_at(connection, everything)
        dependants = [each for each in everything if each not in looked_at]
        if dependants and not also and not keep:
            raise _refusal(connection, dependants)
        chosen = [*ids, *looked_at, *(dependants if also else ())]
        note_removals(connection, layout, chosen, [each for each in dependants if each not in chosen])
        delete_rows(connection, chosen)
    finish(database, layout)
    return chosen


def finish(database: Database, layout: Layout) -> None:
    """Remove the paths that a committed `forget` recorded. Usually there are none."""
    with database.read() as connection:
        paths = list(connection.scalars(select(tables.removals.c.path)))
    if not paths:
        return
    # A path is recorded relative to its base folder, so it is tried under each of them.
    places = [base / path for path in paths for base in layout.bases]
    for place in places:
        with around("remove-forgotten"):
            remove(place)
        if place.exists():
            raise UserError(f"{place} cannot be removed.", "Check its permissions and open again.")
    with Syncs() as syncs:
        for folder in {place.parent for place in places}:
            if folder.exists():
                syncs.directory(folder)
        syncs.wait()
    with around("scrub-database"):
        database.scrub()
    # The list is emptied last: until then the next opening repeats all of this. So this need not survive a power cut.
    with database.write("commit-removals", is_promised=False) as connection:
        connection.execute(delete(tables.removals))


def refuse_while_running(connection: Connection) -> None:
    """Raise an error if a dataset is being made."""
    running = connection.scalar(select(tables.runs.c.id).where(tables.runs.c.state == "running").limit(1))
    if running is not None:
        raise UserError("A dataset is being made right now.", "Wait until it is there, then forget.")


def dependants_of(connection: Connection, ids: Iterable[DatasetId]) -> list[DatasetId]:
    """Return everything made from these versions, at any distance, without the versions themselves."""
    seen, waiting = set(ids), list(ids)
    found: list[DatasetId] = []
    while waiting:
        children = connection.scalars(select(tables.edges.c.child).where(tables.edges.c.parent == waiting.pop()))
        fresh = [DatasetId(child) for child in dict.fromkeys(children) if child not in seen]
        seen.update(fresh)
        waiting += fresh
        found += fresh
    return found


def _only_looked_at(connection: Connection, ids: list[DatasetId]) -> list[DatasetId]:
    """Return scratch datasets that only scratch was made from. They go together with their sources."""
    scratch = is_scratch(connection, ids)
    return [each for each in ids if each in scratch and scratch.issuperset(dependants_of(connection, [each]))]


def _refusal(connection: Connection, dependants: list[DatasetId]) -> UserError:
    columns = tables.datasets.c
    wanted = select(columns.name, columns.version).where(columns.id.in_(dependants)).order_by(columns.sequence)
    rows = connection.execute(wanted).all()
    labels = ", ".join(f"{row.name}@{row.version}" for row in rows)
    hint = "Pass also_dependants=True to forget them too, or keep_dependants=True to keep them without this source."
    return UserError(f"{labels} {'was' if len(rows) == 1 else 'were'} made from it.", hint)


def note_removals(connection: Connection, layout: Layout, ids: list[DatasetId], kept: list[DatasetId]) -> None:
    """Record every path to remove with these versions. `kept` versions were made from them and stay."""
    paths = {f"{folder.name}/{each}" for each in ids for folder in (layout.datasets, layout.lineages)}
    paths |= {f"{layout.temporary.name}/{kind}/{each}" for each in ids for kind in KINDS}
    # Hashes of values that a dependant does not show itself: whoever guesses a value could tell that it was there.
    hidden = (layout.lineage(each) / f"{HIDDEN_KEYS}.arrow" for each in kept)
    paths |= {layout.relative(path) for path in hidden if path.exists()}
    # Lineage that was prepared for filters holds values of what the filters are about.
    paths |= {f"{layout.temporary.name}/prepared/{each}" for each in kept}
    sources = set(_sources_of(connection, ids))
    files = tables.files.c
    paths |= set(connection.scalars(select(files.path).where(files.sha256.in_(sources), files.copied)))
    names = set(connection.scalars(select(tables.datasets.c.name_key).where(tables.datasets.c.id.in_(ids))))
    paths |= {layout.relative(path) for path in leftovers_of(layout, ids, names, sources)}
    paths |= {layout.relative(layout.aside(name)) for name in names}
    brought = (*uploads_of(layout, sources), *pending_sheets_of(layout, names))
    paths |= {layout.relative(path) for path in brought}
    paths.add(layout.backups.name)  # an older database names what is forgotten now
    for path in sorted(paths):
        connection.execute(insert(tables.removals).prefix_with("OR IGNORE").values(path=path))


def _sources_of(connection: Connection, ids: list[DatasetId]) -> Iterator[str]:
    """Yield the source files to which only these datasets refer."""
    uses = tables.dataset_files.c
    mine = set(connection.scalars(select(uses.sha256).where(uses.dataset_id.in_(ids))))
    others = set(connection.scalars(select(uses.sha256).where(uses.dataset_id.not_in(ids))))
    yield from mine - others


def delete_rows(connection: Connection, ids: list[DatasetId]) -> None:
    """Delete these versions from the catalogue, with all that notebooks remember of them."""
    datasets, runs = tables.datasets.c, tables.runs.c
    chosen = connection.execute(select(datasets.id, datasets.rows, datasets.run_id).where(datasets.id.in_(ids))).all()
    names = set(connection.scalars(select(runs.name).where(runs.id.in_([row.run_id for row in chosen]))))
    sources = set(_sources_of(connection, ids))
    keys = set(connection.scalars(select(datasets.name_key).where(datasets.id.in_(ids))))
    forget_cell_runs(connection, ids, keys)
    owned = tables.owned_names.c
    connection.execute(update(tables.owned_names).where(owned.dataset_id.in_(ids)).values(dataset_id=None))
    edges = tables.edges.c
    connection.execute(delete(tables.edges).where(edges.child.in_(ids) | edges.parent.in_(ids)))
    connection.execute(delete(tables.dataset_files).where(tables.dataset_files.c.dataset_id.in_(ids)))
    connection.execute(delete(tables.datasets).where(datasets.id.in_(ids)))
    # A run that failed under the same name may say in its reason what it read.
    failed = runs.name.in_(names) & runs.state.in_(["abandoned", "interrupted"])
    connection.execute(delete(tables.runs).where(runs.id.in_([row.run_id for row in chosen]) | failed))
    # A run under any other name may have read the rows as well: the message of a failed cast quotes its value.
    connection.execute(update(tables.runs).where(runs.state.in_(["abandoned", "interrupted"])).values(reason=None))
    connection.execute(delete(tables.files).where(tables.files.c.sha256.in_(sources)))
    kept = select(datasets.name_key)
    connection.execute(delete(tables.acknowledgements).where(tables.acknowledgements.c.name_key.not_in(kept)))
    for row in chosen:
        connection.execute(insert(tables.forgotten).values(id=row.id, rows=row.rows, at=now()))
