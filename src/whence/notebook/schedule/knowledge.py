"""What the scheduler knows of a notebook's cells without running them: recorded runs, footprints, outside datasets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.model.notebook import CellHash, CellId, CellRun, CellRunId, CellVersion, Entry, NotebookId
from whence.notebook.cell import CellKind
from whence.notebook.footprint import NOTHING, Footprint
from whence.notebook.schedule.board import Artifact
from whence.notebook.versions.book import Book
from whence.notebook.versions.edits import Cells
from whence.store import cell_runs, owned
from whence.store.store import Store


class Knowledge:
    """A cache of what the store holds about one notebook. The runner adds each run that ends."""

    def __init__(self, store: Store, notebook: NotebookId, book: Book, kinds: Mapping[str, CellKind]) -> None:
        self._store = store
        self._notebook = notebook
        self._book = book
        self._kinds = kinds
        self._runs: dict[CellHash, list[CellRun]] = {}
        self._cell_versions: dict[CellHash, CellVersion] = {}
        self._footprints: dict[CellHash, Footprint] = {}
        self._below: tuple[int, OuterDatasets] | None = None
        """The datasets from outside, with the store's counter of changes for which they hold."""
        self._prints: dict[DatasetId, str] = {}
        self._acknowledged: dict[DatasetId | None, str] = {}
        self._acknowledged_at = -1
        self._forgets = store.forgets
        self.kept: dict[CellRunId, CellRun] = {}
        self.last: dict[CellId, CellRun] = {}
        """The newest successful run of each cell, whatever text the cell had then."""
        self._reread()

    def learn(self, cells: Cells) -> None:
        """Read the texts and recorded runs of these cells that are not in memory yet."""
        if self._forgets != self._store.forgets:  # datasets or a notebook were deleted, and runs with them
            self._forgets = self._store.forgets
            self._runs.clear()
            self._reread()
        hashes = [entry.hash for entry in cells if entry.hash not in self._runs]
        self._cell_versions.update(self._book.cell_versions(entry.hash for entry in cells))
        kept = [entry.kept for entry in cells if entry.kept and entry.kept not in self.kept]
        if hashes or kept:
            with self._store.database.read() as connection:
                found = cell_runs.runs_of(connection, hashes)
                self.kept.update(cell_runs.runs_by_id(connection, [each for each in kept if each]))
            self._runs.update({hash: found.get(hash, []) for hash in hashes})

    def runs(self, hash: CellHash) -> Sequence[CellRun]:
        """Return the runs of a cell version, newest first."""
        return self._runs.get(hash, ())

    def add(self, run: CellRun) -> None:
        """Add a run that has ended."""
        self._runs.setdefault(run.hash, []).insert(0, run)
        if run.state == "done":
            self.last[run.cell] = run

    def drop(self, run: CellRun) -> None:
        """Remove a run that could not be recorded."""
        self._runs[run.hash] = [each for each in self._runs.get(run.hash, ()) if each.id != run.id]
        if self.last.get(run.cell) == run:
            del self.last[run.cell]

    def cell_version(self, entry: Entry) -> CellVersion:
        """Return the kind and the values of a cell."""
        return self._cell_versions[entry.hash]

    def is_draft(self, entry: Entry) -> bool:
        """Whether a cell is still empty."""
        return self._cell_versions[entry.hash].is_draft

    def predict(self, entry: Entry) -> Footprint:
        """Return what a cell will read and write: nothing if it is empty or cannot even start."""
        if entry.hash not in self._footprints:
            said = self._cell_versions[entry.hash]
            kind = None if said.is_draft else self._kinds.get(said.kind)
            try:
                self._footprints[entry.hash] = NOTHING if kind is None else kind.footprint(said.values)
            except WhenceError:  # its run will raise and show the same error
                self._footprints[entry.hash] = NOTHING
        return self._footprints[entry.hash]

    def outer_datasets(self) -> OuterDatasets:
        """Return the datasets that the first cell sees: those that no cell of this notebook makes."""
        if self._below is None or self._below[0] != self._store.changes:
            changes = self._store.changes
            with self._store.database.read() as connection:
                self._below = (
                    changes,
                    OuterDatasets(self._store, owned.outer_datasets(connection, self._notebook), self._prints),
                )
        return self._below[1]

    def acknowledged(self, dataset: DatasetId | None) -> str:
        """Return a fingerprint of the acknowledged caveats that may reach a dataset; of all of them for None."""
        known = self._store.acknowledged
        if known.is_empty:
            return ""
        # The fingerprints hold until something is acknowledged, or doubted again.
        if self._acknowledged_at != known.epoch:
            self._acknowledged_at = known.epoch
            self._acknowledged.clear()
        if dataset not in self._acknowledged:
            self._acknowledged[dataset] = known.fingerprint(None if dataset is None else self._names_behind(dataset))
        return self._acknowledged[dataset]

    def _names_behind(self, dataset: DatasetId) -> set[str]:
        """Return the names of a dataset and of all its ancestors: an acknowledgement is about one of these names."""
        names, waiting, seen = set[str](), [dataset], {dataset}
        while waiting:
            record = self._store.by_id(waiting.pop())
            names.add(record.name.lower())
            waiting += [parent for parent in record.parents if parent not in seen]
            seen.update(record.parents)
        return names

    def is_made_by(self, notebook: NotebookId, name: str) -> bool:
        """Whether any branch of a notebook has a cell that may write this name."""
        book = Book(self._store, notebook)
        entries = {entry.hash: entry for version in book.heads().values() for entry in book.cells(version)}
        self._cell_versions.update(book.cell_versions(entries))
        writes = (self.predict(entry).writes for entry in entries.values())
        return any(each is None or name.lower() in {one.lower() for one in each} for each in writes)

    def _reread(self) -> None:
        with self._store.database.read() as connection:
            self.last = cell_runs.last_of_cells(connection, self._notebook)


class OuterDatasets(Mapping[str, Artifact]):
    """Datasets that no cell of the notebook makes, by name. It computes a fingerprint when a dataset is looked up."""

    def __init__(self, store: Store, ids: Mapping[str, tuple[str, DatasetId]], prints: dict[DatasetId, str]) -> None:
        self._store = store
        self._ids = ids
        self._prints = prints

    def __getitem__(self, key: str) -> Artifact:
        name, dataset = self._ids[key]
        if dataset not in self._prints:
            self._prints[dataset] = self._store.fingerprint(self._store.by_id(dataset))
        return Artifact(name, "dataset", self._prints[dataset], dataset)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
