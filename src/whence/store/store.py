"""The facade of one open workspace: every other package reaches stored data through `Store`."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.dataset import DatasetRecord, Origin
from whence.model.errors import BadInput, NotSupported, UnknownColumn, UnknownRow
from whence.model.ids import DatasetId
from whence.model.notebook import NotebookId
from whence.model.schema import INTERNAL_PREFIX, ROW_FLAG_COLUMN, flag_column
from whence.store import garbage, publish, records, runs, sources, usage
from whence.store.acknowledged import Acknowledged
from whence.store.arrays import Array, read_arrays
from whence.store.caveat_file import Caveats, read_caveats
from whence.store.current_datasets import CurrentDatasets
from whence.store.database import Database
from whence.store.derived import Derived
from whence.store.draft import Draft, SourceFile
from whence.store.dropped import drop_notebook
from whence.store.durable import Syncs, sync_directory, writing
from whence.store.forgetting import Forgetting
from whence.store.forgotten import CAVEAT, ForgottenRecord, forgotten_record, gone
from whence.store.garbage import Garbage
from whence.store.key_columns import with_key_columns
from whence.store.late_notes import LateNotes
from whence.store.layout import CAVEATS, HIDDEN_KEYS, ROWS, Layout
from whence.store.lock import WorkspaceLock
from whence.store.manifest import Manifest, read_manifest
from whence.store.owned import REPLACEMENT, SCRATCH, Maker
from whence.store.pages import MayBe, Pages
from whence.store.pending_sheets import PendingSheets
from whence.store.profiles import Profiles
from whence.store.record_cache import RecordCache
from whence.store.recovery import recover
from whence.store.referenced import check_references
from whence.store.room import Room
from whence.store.runs import Run
from whence.store.scattered_rows import ScatteredRows
from whence.store.seal import break_seal, put_seal
from whence.store.storage import chosen_storage
from whence.store.uploads import Incoming
from whence.store.usage import Usage
from whence.store.verified_files import VerifiedFiles
from whence.store.views import Views


class Store:
    """An open workspace folder. This process holds its lock until `close`."""

    def __init__(self, layout: Layout, lock: WorkspaceLock, database: Database) -> None:
        self.layout = layout
        self.pending_sheets = PendingSheets(layout)
        self.database = database
        self.root = layout.root
        self._lock = lock
        self.forgets = 0
        """Counts removals of datasets and late notes about them. In-memory caches drop their answers when it grows."""
        self.changes = 0
        """Counts how often a dataset version was published or removed."""
        self._records = RecordCache(database, lambda: database.commits)
        # Names come to mean new versions, but a version stays what it is.
        self._versions = RecordCache(database, lambda: database.rewrites)
        # Per thread: cells that do not depend on each other run side by side, each with its own maker.
        self._making = threading.local()
        self._checked = VerifiedFiles()
        # A version never changes, so these caches stay valid until something is removed: `_clear_caches`.
        self._manifest = lru_cache(maxsize=1024)(self._read_manifest)
        self._pages = lru_cache(maxsize=256)(self._make_pages)
        self.room = Room(layout.root, shared=layout.shared)
        self._caveats = lru_cache(maxsize=32)(self._read_caveats)
        self.derived = Derived(layout.temporary, layout.shared_temporary)
        self.late_notes = LateNotes(self.derived)
        self.scattered = ScatteredRows(self.derived, self._pages)
        self.views = Views(self.derived, self._pages, self.scattered)
        self.profiles = Profiles(self.derived, self._pages)
        self.acknowledged = Acknowledged(database)
        self.forgetting = Forgetting(database, layout, self.derived, self._removing)

    @classmethod
    def open(cls, path: Path, max_dataset_bytes: int | None = None, storage: str | None = None) -> Store:
        """Open a workspace, or create one in a missing or empty folder. Executors write to `storage`, if given."""
        layout = Layout(path.resolve())
        _check_folder(layout)
        # The lock file comes first: it also marks a half-made workspace as ours.
        with writing(layout.root):
            layout.root.mkdir(parents=True, exist_ok=True)
            lock = WorkspaceLock(layout.lock)
        was_sealed = False
        try:
            place = chosen_storage(layout.root, storage)
            layout = Layout(layout.root, None if place is None else place.folder)
            layout.make()
            sync_directory(layout.root)
            was_sealed = break_seal(layout.database)
            database = Database(layout.database, Room(layout.root).for_metadata)
        # BaseException: after Ctrl-C, too, the lock must go, or the next attempt finds the workspace in use.
        except BaseException as error:
            if isinstance(error, NotSupported) and was_sealed:
                put_seal(layout.database)  # left as it was found
            lock.release()
            raise
        store = cls(layout, lock, database)
        store.room.most = max_dataset_bytes
        try:
            if place is not None:
                place.claim(database.epoch)
            recover(database, layout)
            garbage.drop_scratch(database, layout, garbage.YOUNG)
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the database and release the lock. A second call does nothing."""
        if not self._lock.is_held:
            return
        self.scattered.close()
        self.views.clear()
        self.database.close()
        # The seal is a hash of meta.db, and closing the last connection still folds the write-ahead log into that file.
        put_seal(self.layout.database)
        self._lock.release()

    def begin(self, origin: Origin, name: str) -> Run:
        """Start a run that makes a dataset version. Raise a user error if the disk is nearly full."""
        self.room.for_a_run()
        maker, hidden = getattr(self._making, "maker", None), getattr(self._making, "hidden", None)
        return runs.begin(self.database, self.layout, origin, name, maker, hidden=hidden)

    @contextmanager
    def making_for(self, maker: Maker) -> Iterator[None]:
        """Record a notebook cell as the maker of every dataset that this thread makes inside the block."""
        self._making.maker = maker
        try:
            yield
        finally:
            self._making.maker = None

    @contextmanager
    def making_scratch(self) -> Iterator[None]:
        """Make scratch datasets in the block: they have versions, no list shows them, and unused ones are dropped."""
        with self._hiding(SCRATCH):
            yield

    @property
    def late_syncs(self) -> Syncs | None:
        """The syncs of files that this thread writes for replacements; None where each file is synced at once."""
        return getattr(self._making, "late_syncs", None)

    @contextmanager
    def making_replacements(self) -> Iterator[Syncs]:
        """Make versions in the block that replace others. When it ends, all that this thread wrote is on the disk."""
        # Executors on other machines see a file of shared storage once it is synced and closed.
        is_local = self.layout.shared == self.layout.root
        with Syncs() as syncs:
            self._making.late_syncs = syncs if is_local else None
            try:
                yield syncs
            finally:
                self._making.late_syncs = None
            syncs.wait()

    @contextmanager
    def making_replacement(self, documents: Mapping[str, object]) -> Iterator[None]:
        """Make versions in the block that replace others later: see `replace_versions`. Each gets these documents."""
        self._making.documents = documents
        try:
            with self._hiding(REPLACEMENT):
                yield
        finally:
            self._making.documents = {}

    @contextmanager
    def _hiding(self, marker: str) -> Iterator[None]:
        self._making.hidden = marker
        try:
            yield
        finally:
            self._making.hidden = None

    def drop_scratch(self, older: timedelta, only: Collection[DatasetId] | None = None) -> None:
        """Drop scratch datasets, or some of them, that are older than this and that no other dataset was made from."""
        garbage.drop_scratch(self.database, self.layout, older, only)
        self._clear_caches()

    def fingerprint(self, record: DatasetRecord) -> str:
        """Return a hash that is equal for versions with equal columns, rows (in order), doubt flags and caveats."""
        manifest = self._manifest(record.id)
        caveats = manifest.files.get(CAVEATS)
        facts = [
            records.schema_to_json(record.schema),
            records.doubt_to_json(record.doubt),
            [[part.rows, part.sha256] for part in manifest.parts],
            None if caveats is None else caveats.sha256,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]

    def publish(self, run: Run, draft: Draft) -> DatasetRecord:
        """Publish the staged files of a run as a dataset version, unless they exceed the size limit."""
        # A part with `changed` refers to a file outside the workspace, which takes no room here.
        self.room.for_a_dataset(run.name, sum(part.size for part in draft.parts if part.changed is None))
        documents = {**draft.documents, **getattr(self._making, "documents", {})}
        complete = with_key_columns(self, run, replace(draft, documents=documents))
        record = publish.publish(self.database, self.layout, run, complete, self.late_syncs)
        self.changes += 1
        return record

    def abandon(self, run: Run, reason: str) -> None:
        """Abandon a run and remove its staging folder."""
        runs.abandon(self.database, run, reason)

    def current(self, name: str) -> DatasetRecord:
        """Return the newest version of a dataset name."""
        return self._records.find(("current", name), lambda connection: records.current(connection, name))

    def version(self, name: str, number: int) -> DatasetRecord:
        """Return one numbered version of a dataset name."""
        return self._records.find((name, number), lambda connection: records.version(connection, name, number))

    def by_id(self, id: DatasetId) -> DatasetRecord:
        """Return the dataset version with this id."""
        return self._versions.find(("id", id), lambda connection: records.by_id(connection, id))

    def datasets(self) -> list[DatasetRecord]:
        """Return the newest version of every name, oldest name first."""
        with self.database.read() as connection:
            return records.all_current(connection)

    def current_datasets(self) -> CurrentDatasets:
        """Return the newest versions as a mapping by name that reads a record when it is accessed."""
        with self.database.read() as connection:
            return CurrentDatasets(records.current_ids(connection), self.by_id)

    def versions(self, name: str) -> list[DatasetRecord]:
        """Return every version of a name, oldest first."""
        with self.database.read() as connection:
            return records.versions(connection, name)

    def scratch_versions(self, name: str) -> list[DatasetRecord]:
        """Return the scratch versions of a name, oldest first. No list shows these."""
        with self.database.read() as connection:
            return records.scratch_versions(connection, name)

    def children(self, id: DatasetId) -> list[DatasetRecord]:
        """Return the versions made directly from this one, oldest first."""
        with self.database.read() as connection:
            return records.children(connection, id)

    def made_by_text(self, id: DatasetId, text: str, most: int) -> list[DatasetRecord]:
        """Return the newest `most` versions that this query text made directly from this version, newest first."""
        with self.database.read() as connection:
            return records.made_by_text(connection, id, text, most)

    def read(self, record: DatasetRecord, start: int, stop: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows start..stop-1 in row id order. A stop beyond the end means the end."""
        if start < 0 or stop < 0:
            raise UnknownRow(f"{record.label} has no row {min(start, stop)}.", f"Rows are 0 to {record.rows - 1}.")
        return self._pages(record.id).read(start, min(stop, record.rows), _select_columns(record, columns))

    def scan(self, record: DatasetRecord, columns: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
        """Yield all rows in batches that fit in memory, as (row id of the first row, rows)."""
        return self._pages(record.id).scan(_select_columns(record, columns))

    def scan_where(self, record: DatasetRecord, column: str, may_be: MayBe) -> Iterator[tuple[int, pa.Table]]:
        """Yield a column of the row groups that may hold what is looked for, as (row id of the first row, rows)."""
        _select_columns(record, [column])
        return self._pages(record.id).scan_where(column, may_be)

    def take(self, record: DatasetRecord, rids: npt.ArrayLike, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows with these row ids, in the given order. A row id may repeat."""
        wanted = np.asarray(rids, dtype=np.int64)
        outside = wanted[(wanted < 0) | (wanted >= record.rows)]
        if len(outside):
            raise UnknownRow(f"{record.label} has no row {outside[0]}.", f"Rows are 0 to {record.rows - 1}.")
        return self.scattered.take(record, wanted, _select_columns(record, columns))

    def flags(self, record: DatasetRecord, start: int = 0, stop: int | None = None) -> pa.Table:
        """Return the doubt flags: one boolean column per user column, and one for the row as a whole."""
        stored = [flag_column(position) for position in range(len(record.schema))]
        table = self.read(record, start, record.rows if stop is None else stop, [*stored, ROW_FLAG_COLUMN])
        return table.rename_columns([*record.schema.names, row_flag_name(record.schema.names)])

    def caveats(self, record: DatasetRecord) -> Caveats:
        """Return the caveats that were stated when this version was made, and the notes that came later."""
        return self._caveats(record.id) if not isinstance(record, ForgottenRecord) else Caveats.of([CAVEAT])

    def caveat_table(self, record: DatasetRecord) -> pa.Table:
        """Return the same caveats as a table, because there may be a million of them."""
        return self.caveats(record).table

    def _read_caveats(self, dataset: DatasetId) -> Caveats:
        file, notes = self._manifest(dataset).files.get(CAVEATS), Caveats.of(self.late_notes.of(dataset))
        if file is None:
            return notes
        stated = read_caveats(self._checked.file(self.layout.dataset(dataset) / CAVEATS, file))
        return Caveats(pa.concat_tables([stated.table, notes.table])) if notes else stated

    def add_note(self, record: DatasetRecord, message: str) -> None:
        """Note something about a version after it was published; every cached answer about it is dropped."""
        self.late_notes.add(record.id, message)
        self._caveats.cache_clear()
        self.forgets += 1

    def document(self, record: DatasetRecord, name: str) -> dict[str, object] | None:
        """Return a JSON document that is stored with this version, or None."""
        file = self._manifest(record.id).files.get(f"{name}.json")
        if file is None:
            return None
        path = self._checked.file(self.layout.dataset(record.id) / f"{name}.json", file)
        content: dict[str, object] = json.loads(path.read_bytes())
        return content

    def arrays(self, record: DatasetRecord, stem: str) -> dict[str, Array] | None:
        """Return the index arrays of one file, or None if there is no such file."""
        file = self._manifest(record.id).lineage.get(f"{stem}.arrow")
        if file is None or (stem == HIDDEN_KEYS and not (self.lineage_path(record) / f"{stem}.arrow").exists()):
            return None  # hidden keys go when a dataset they were made from is forgotten
        return read_arrays(self._checked.file(self.lineage_path(record) / f"{stem}.arrow", file))

    def check_references(self, record: DatasetRecord) -> None:
        """Raise an error if a file outside the workspace that this dataset refers to has changed."""
        check_references(record.label, self.layout.dataset(record.id), self._manifest(record.id))

    def rows_path(self, record: DatasetRecord) -> Path:
        """Return the folder from which Spark reads the rows."""
        return self.layout.dataset(record.id) / ROWS

    def lineage_path(self, record: DatasetRecord) -> Path:
        """Return the folder of this version's array files."""
        return self.layout.lineage(record.id)

    def usage(self) -> Usage:
        """Return how many bytes each part of the workspace takes."""
        with self.database.read() as connection:
            every = records.all_versions(connection)
        return usage.usage(self.layout, every, sum(item.bytes for item in self.collect_garbage()))

    def collect_garbage(self, *, dry_run: bool = True) -> tuple[Garbage, ...]:
        """Return the files that nothing refers to. Unless it is a dry run, move them to the trash for a week."""
        found = garbage.collect_garbage(self.database, self.layout, dry_run=dry_run)
        if not dry_run:
            self._clear_caches()
        return found

    def drop_notebook(self, notebook: NotebookId) -> None:
        """Delete a notebook with its history. Datasets that only its cells made and nothing uses become garbage."""
        with self.database.write("commit-drop") as connection:
            drop_notebook(connection, notebook)
        self.forgets += 1  # cached runs may be gone
        self.changes += 1

    @contextmanager
    def _removing(self) -> Iterator[None]:
        """Remove datasets in the block: no cache and no thread keeps what was derived from them."""
        self.forgets += 1  # before and after: a thread that writes a derived file meanwhile sees that it must go
        self.scattered.drop_all()  # a copy that is being made would come back after it was removed
        yield
        self.forgets += 1
        self.changes += 1
        self._clear_caches()

    def _clear_caches(self) -> None:
        self.scattered.drop_all()
        for clear in (
            self._manifest.cache_clear,
            self._pages.cache_clear,
            self._caveats.cache_clear,
            self.acknowledged.reread,
            self.views.clear,
            self.profiles.clear,
        ):
            clear()

    def receive(self, name: str) -> Incoming:
        """Return a writer that receives an uploaded file piece by piece, for cells to load."""
        return Incoming(self.layout, name)

    def add_file(self, path: Path) -> SourceFile:
        """Store a source file under the hash of its content."""
        return sources.add_file(self.database, self.layout, path)

    def add_content(self, pieces: Iterable[memoryview]) -> SourceFile:
        """Store the content of a source file that lies nowhere else."""
        return sources.add_content(self.database, self.layout, pieces)

    def source_paths(self, record: DatasetRecord) -> list[str]:
        """Return the full paths of the files that this version was loaded from and that were not copied."""
        with self.database.read() as connection:
            return sources.paths_left_in_place(connection, record.id)

    def manifest(self, record: DatasetRecord) -> Manifest:
        """Return the manifest of this version: its files with their sizes and hashes."""
        return self._manifest(record.id)

    def _read_manifest(self, dataset: DatasetId) -> Manifest:
        with self.database.read() as connection:
            if forgotten_record(connection, dataset) is not None:
                return Manifest(0, (), {}, {})
            sha256 = records.manifest_hash(connection, dataset)
        return read_manifest(self.layout.dataset(dataset), sha256)

    def _make_pages(self, dataset: DatasetId) -> Pages:
        manifest = self._manifest(dataset)
        if not manifest.parts:
            raise gone()
        return Pages(self.layout.dataset(dataset), manifest)


def row_flag_name(names: Sequence[str]) -> str:
    """Return the name of the column of row flags, beside columns of these names.

    >>> row_flag_name(["a", "_row"])
    '_row_'
    """
    name = "_row"
    while name in names:
        name += "_"
    return name


def _select_columns(record: DatasetRecord, columns: Sequence[str] | None) -> Sequence[str]:
    if isinstance(record, ForgottenRecord):
        raise gone()
    if columns is None:
        return record.schema.names
    for name in columns:
        if not name.startswith(INTERNAL_PREFIX) and record.schema.position(name) is None:
            raise UnknownColumn(f"{record.label} has no column {name}.", f"It has {', '.join(record.schema.names)}.")
    return columns


def _check_folder(layout: Layout) -> None:
    """Raise an error if the folder exists and holds something other than a workspace."""
    if layout.root.exists() and not layout.root.is_dir():
        raise BadInput(f"{layout.root} is a file, not a workspace folder.", "Open a folder and load it.")
    if layout.root.is_dir() and not layout.database.exists() and not layout.lock.exists():
        found = next(layout.root.iterdir(), None)
        if found is not None:
            raise BadInput(
                f"{layout.root} is not a workspace: it holds {found.name}.", "Choose an empty or new folder."
            )
