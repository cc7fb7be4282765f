"""The dataset names of a notebook as other notebooks and the library see them: the versions after its last cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from sqlalchemy import Connection

from whence.model.ids import DatasetId
from whence.model.notebook import Entry, NotebookId
from whence.notebook.schedule.board import Artifact, Pending
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.survey import Survey
from whence.notebook.versions.edits import Cells
from whence.store import owned
from whence.store.store import Store


class Heads:
    """The dataset names of one notebook in the database, each with the version that it means."""

    def __init__(self, store: Store, notebook: NotebookId, knowledge: Knowledge) -> None:
        self._store = store
        self._notebook = notebook
        self._knowledge = knowledge
        self._written: Mapping[str, DatasetId] = {}

    def current(self, cells: Cells, survey: Survey) -> dict[str, DatasetId]:
        """Return the version that each name means after the last cell; if its cell has yet to run, the cell's last."""
        heads = dict[str, DatasetId]()
        names = {key for entry in cells for key in self._names_of(entry, survey)}
        # Also names that were written before: a cell with an open footprint may be about to make them again.
        for key in names | set(self._written):
            seen = survey.board.look(key)
            if isinstance(seen, Pending):
                last = self._knowledge.last.get(seen.by)
                given = {output.name.lower(): output.dataset for output in last.outputs} if last is not None else {}
                if key in given:
                    heads[key] = given[key]
            elif isinstance(seen, Artifact) and seen.kind == "dataset":
                heads[key] = cast(DatasetId, seen.value)
        return heads

    def put(self, connection: Connection, heads: Mapping[str, DatasetId]) -> None:
        """Write the names as part of a transaction. Call `written` once it is committed."""
        owned.set_heads(connection, self._notebook, heads)

    def written(self, heads: Mapping[str, DatasetId]) -> None:
        """Note that these names are committed."""
        self._written = heads
        # Other notebooks, and this one, look again at the datasets that they see from outside.
        self._store.changes += 1

    def write(self, heads: Mapping[str, DatasetId]) -> None:
        """Write the names in a transaction of their own, if any changed."""
        if heads != self._written:
            with self._store.database.write("commit-notebook") as connection:
                self.put(connection, heads)
            self.written(heads)

    def free(self, entry: Entry) -> None:
        """Release the names that this cell writes from notebooks that make them on no branch any more."""
        for name in self._knowledge.predict(entry).writes or ():
            with self._store.database.read() as connection:
                owner = owned.owner_of(connection, name)
            if owner is not None and owner != self._notebook and not self._knowledge.is_made_by(owner, name):
                with self._store.database.write("commit-notebook") as connection:
                    owned.release(connection, name)

    def _names_of(self, entry: Entry, survey: Survey) -> Iterable[str]:
        state = survey.states.get(entry.cell)
        if state is not None and state.run is not None:
            yield from (output.name.lower() for output in state.run.outputs)
        yield from (name.lower() for name in self._knowledge.predict(entry).writes or ())
