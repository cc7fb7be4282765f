"""The catalogue: dataset versions as rows of meta.db, found by name, by id and by what they were made from."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, case, exists, func, insert, select

from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.model.schema import Field, Schema
from whence.store import tables
from whence.store.database import now
from whence.store.draft import Draft
from whence.store.forgotten import forgotten_record
from whence.store.owned import DROPPED, REPLACEMENT, SCRATCH
from whence.store.runs import Run

Json = dict[str, object]

_WHITE_SPACE = "".join(letter for letter in map(chr, range(0x3001)) if letter.isspace())
"""What Python's `strip` removes: U+3000 is the last such letter."""


def insert_record(connection: Connection, run: Run, draft: Draft, rows: int, manifest_sha256: str) -> DatasetRecord:
    """Insert a dataset version under the next version number of its name."""
    last = connection.scalar(select(func.max(tables.datasets.c.version)).where(_is_named(run.name))) or 0
    record = DatasetRecord(
        id=run.dataset_id,
        name=run.name,
        version=last + 1,
        rows=rows,
        schema=draft.schema,
        origin=run.origin,
        text=draft.text,
        created=now(),
        parents=draft.parents,
        doubt=draft.doubt,
    )
    connection.execute(
        insert(tables.datasets).values(
            id=record.id,
            name=record.name,
            name_key=record.name.lower(),
            version=record.version,
            rows=rows,
            schema=schema_to_json(draft.schema),
            origin=record.origin,
            text=record.text,
            created=record.created,
            doubt=doubt_to_json(draft.doubt),
            manifest_sha256=manifest_sha256,
            run_id=run.id,
        )
    )
    for position, parent in enumerate(draft.parents):
        connection.execute(insert(tables.edges).values(child=record.id, position=position, parent=parent))
    for sha256 in {source.sha256 for source in draft.sources}:
        connection.execute(insert(tables.dataset_files).values(dataset_id=record.id, sha256=sha256))
    return record


def current(connection: Connection, name: str) -> DatasetRecord:
    """Return the newest version of a name. If a notebook makes it, return the checked-out branch's version."""
    owned = connection.execute(
        select(tables.owned_names).where(tables.owned_names.c.name_key == _key(name))
    ).one_or_none()
    if owned is not None:
        return _of_notebook(connection, owned)
    newest = (
        select(tables.datasets)
        .where(_is_named(name), ~_is_dropped())
        .order_by(tables.datasets.c.version.desc())
        .limit(1)
    )
    found = connection.execute(newest).one_or_none()
    if found is None:
        raise _unknown(connection, name)
    return _records(connection, [found])[0]


def version(connection: Connection, name: str, number: int) -> DatasetRecord:
    """Return one numbered version of a name, even if the notebook that made it was deleted."""
    wanted = select(tables.datasets).where(_is_named(name), tables.datasets.c.version == number)
    found = connection.execute(wanted).one_or_none()
    if found is None:
        newest = current(connection, name)
        raise UnknownDataset(f"{newest.name} has no version {number}.", f"It has versions 1 to {newest.version}.")
    return _records(connection, [found])[0]


def by_id(connection: Connection, dataset: DatasetId) -> DatasetRecord:
    """Return the dataset version with this id, or the remains of one that was forgotten."""
    found = connection.execute(select(tables.datasets).where(tables.datasets.c.id == dataset)).one_or_none()
    if found is None:
        forgotten = forgotten_record(connection, dataset)
        if forgotten is not None:
            return forgotten
        raise UnknownDataset(f"This workspace has no dataset with the id {dataset}.")
    return _records(connection, [found])[0]


def all_current(connection: Connection) -> list[DatasetRecord]:
    """Return the newest version of every name, oldest name first."""
    return _records(connection, connection.execute(_select_current(*tables.datasets.c)).all())


def current_ids(connection: Connection) -> dict[str, DatasetId]:
    """Return the id of the newest version of every name."""
    found = connection.execute(_select_current(tables.datasets.c.name, tables.datasets.c.id))
    return {name: DatasetId(id) for name, id in found}


def _select_current(*columns: Column[Any]) -> Select[Any]:
    names = (
        select(
            tables.datasets.c.name_key,
            func.max(tables.datasets.c.version).label("newest"),
            func.min(tables.datasets.c.sequence).label("first"),
        )
        .where(~_is_dropped())
        .group_by(tables.datasets.c.name_key)
        .subquery()
    )
    owned = tables.owned_names.c
    newest = (tables.datasets.c.name_key == names.c.name_key) & (tables.datasets.c.version == names.c.newest)
    # A name that a notebook owns means the version of its checked-out branch, which need not be the newest.
    is_meant = case((owned.name_key.is_(None), newest), else_=tables.datasets.c.id == owned.dataset_id)
    return (
        select(*columns)
        .join(names, tables.datasets.c.name_key == names.c.name_key)
        .outerjoin(tables.owned_names, owned.name_key == names.c.name_key)
        .where(is_meant)
        .order_by(names.c.first)
    )


def all_versions(connection: Connection) -> list[DatasetRecord]:
    """Return every version of every name, oldest first."""
    return _records(connection, connection.execute(select(tables.datasets).order_by(tables.datasets.c.sequence)).all())


def versions(connection: Connection, name: str) -> list[DatasetRecord]:
    """Return every version of a name that is not scratch, oldest first."""
    wanted = select(tables.datasets).where(_is_named(name), ~_is_hidden()).order_by(tables.datasets.c.version)
    found = _records(connection, connection.execute(wanted).all())
    if not found:
        raise _unknown(connection, name)
    return found


def scratch_versions(connection: Connection, name: str) -> list[DatasetRecord]:
    """Return the scratch versions of a name, oldest first."""
    wanted = select(tables.datasets).where(_is_named(name), _is_made_as(SCRATCH)).order_by(tables.datasets.c.version)
    return _records(connection, connection.execute(wanted).all())


def children(connection: Connection, dataset: DatasetId) -> list[DatasetRecord]:
    """Return the versions made directly from this one, oldest first, without scratch versions."""
    made = select(tables.edges.c.child).where(tables.edges.c.parent == dataset)
    wanted = select(tables.datasets).where(tables.datasets.c.id.in_(made), ~_is_hidden())
    return _records(connection, connection.execute(wanted.order_by(tables.datasets.c.sequence)).all())


def made_by_text(connection: Connection, dataset: DatasetId, text: str, most: int) -> list[DatasetRecord]:
    """Return the newest versions made directly from this one by a text, ignoring white space around it."""
    datasets, stripped = tables.datasets.c, text.strip()
    made = select(tables.edges.c.child).where(tables.edges.c.parent == dataset)
    # Without its second argument, SQLite's `trim` removes spaces only.
    is_same = func.trim(datasets.text, _WHITE_SPACE) == stripped
    wanted = select(tables.datasets).where(datasets.id.in_(made), ~_is_hidden(), is_same)
    return _records(connection, connection.execute(wanted.order_by(datasets.sequence.desc()).limit(most)).all())


def manifest_hash(connection: Connection, dataset: DatasetId) -> str:
    """Return the SHA-256 that the manifest file must have."""
    found = connection.scalar(select(tables.datasets.c.manifest_sha256).where(tables.datasets.c.id == dataset))
    if found is None:
        raise UnknownDataset(f"This workspace has no dataset with the id {dataset}.")
    return str(found)


def schema_to_json(schema: Schema) -> list[list[str]]:
    """Return a schema as the database stores it: pairs of name and type."""
    return [[field.name, field.type] for field in schema]


def doubt_to_json(doubt: Doubt) -> Json:
    """Return a doubt as the database stores it."""
    return {"columns": sorted(doubt.columns), "rows": doubt.rows, "row_set": doubt.row_set}


def _records(connection: Connection, rows: Sequence[Row[Any]]) -> list[DatasetRecord]:
    parents = _parents(connection, [row.id for row in rows]) if rows else {}
    return [
        DatasetRecord(
            id=DatasetId(row.id),
            name=row.name,
            version=row.version,
            rows=row.rows,
            schema=Schema(tuple(Field(name, kind) for name, kind in row.schema)),
            origin=row.origin,
            text=row.text,
            created=row.created,
            parents=parents.get(row.id, ()),
            doubt=Doubt(frozenset(row.doubt["columns"]), row.doubt["rows"], row.doubt["row_set"]),
        )
        for row in rows
    ]


def _parents(connection: Connection, ids: Iterable[str]) -> dict[str, tuple[DatasetId, ...]]:
    edges = tables.edges.c
    wanted = select(edges.child, edges.parent).where(edges.child.in_(ids)).order_by(edges.child, edges.position)
    found: dict[str, tuple[DatasetId, ...]] = {}
    for child, parent in connection.execute(wanted):
        found[child] = (*found.get(child, ()), DatasetId(parent))
    return found


def _of_notebook(connection: Connection, owned: Row[Any]) -> DatasetRecord:
    found = connection.execute(select(tables.datasets).where(tables.datasets.c.id == owned.dataset_id)).one_or_none()
    if found is not None:
        return _records(connection, [found])[0]
    notebooks = tables.notebooks.c
    notebook = connection.execute(
        select(notebooks.name, notebooks.branch).where(notebooks.id == owned.notebook_id)
    ).one()
    raise UnknownDataset(
        f"{owned.name} is made by the notebook {notebook.name}, whose branch {notebook.branch} has not made it.",
        "Run its cells, or check another branch out.",
    )


def _key(name: str) -> str:
    return name.strip().lower()


def _is_named(name: str) -> Any:  # noqa: ANN401 - SQLAlchemy's own type of a comparison says nothing more
    return tables.datasets.c.name_key == _key(name)


def _is_dropped() -> Any:  # noqa: ANN401 - likewise
    """Whether the version is hidden or was made by a notebook that was deleted."""
    return _is_made_as(DROPPED, SCRATCH, REPLACEMENT)


def _is_hidden() -> Any:  # noqa: ANN401 - likewise
    """Whether the version was never shown: scratch, or about to replace another."""
    return _is_made_as(SCRATCH, REPLACEMENT)


def _is_made_as(*markers: str) -> Any:  # noqa: ANN401 - likewise
    """Whether `runs.cell_run` holds one of these markers in place of the id of a cell run."""
    mine = (tables.runs.c.id == tables.datasets.c.run_id) & tables.runs.c.cell_run.in_(markers)
    return exists().where(mine).correlate(tables.datasets)


def _unknown(connection: Connection, name: str) -> UnknownDataset:
    named = connection.execute(select(tables.datasets.c.name_key, tables.datasets.c.name).where(~_is_dropped()))
    keys = {row.name_key: row.name for row in named}
    near = [keys[key] for key in difflib.get_close_matches(name.lower(), list(keys), n=3)]
    if near:
        return UnknownDataset(f"There is no dataset named {name}.", f"Did you mean {' or '.join(near)}?")
    known = ", ".join(sorted(keys.values())[:10])
    hint = f"There are: {known}." if known else "There is none yet."
    return UnknownDataset(f"There is no dataset named {name}.", hint)
