"""What the names of a notebook's datasets mean to everybody else: what they mean after its last cell."""

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
    """The names of one notebook, as they stand in the database."""

    def __init__(self, store: Store, notebook: NotebookId, knowledge: Knowledge) -> None:
        self._store = store
        self._notebook = notebook
        self._knowledge = knowledge
        self._written: Mapping[str, DatasetId] = {}

    def current(self, cells: Cells, survey: Survey) -> dict[str, DatasetId]:
        """What every name means after the last cell; where a cell has yet to run, what it gave last."""
        heads = dict[str, DatasetId]()
        names = {key for entry in cells for key in self._names_of(entry, survey)}
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
        """Write them down in a transaction; say `written` when it is through."""
        owned.set_heads(connection, self._notebook, heads)

    def written(self, heads: Mapping[str, DatasetId]) -> None:
        """This is what stands in the database now."""
        self._written = heads
        self._store.changes += 1

    def write(self, heads: Mapping[str, DatasetId]) -> None:
        """Write them down, if they are others than before."""
        if heads != self._written:
            with self._store.database.write("commit-notebook") as connection:
                self.put(connection, heads)
            self.written(heads)

    def free(self, entry: Entry) -> None:
        """A name that another notebook once made, and on no branch makes any more, can be taken over."""
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
