"""The history of one notebook in the store: reads the cells of any version, and commits edits as new versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from whence.model.errors import EditConflict, UserError
from whence.model.notebook import CellHash, CellId, CellVersion, Entry, NotebookId, VersionRecord
from whence.notebook.versions.edits import (
    Arrange,
    Cells,
    Delete,
    Edit,
    Freeze,
    Insert,
    Move,
    Replace,
    ReplaceAll,
    Thaw,
    anchored,
    cells_from_json,
    cells_to_json,
    edit_from_json,
    edit_to_json,
)
from whence.store import notebooks
from whence.store.store import Store

WRITTEN_OUT = 64
"""A version stores all its cells after at most this many that store only their edit, so reading one stays quick."""


Said = CellVersion | Sequence[CellVersion] | None
"""The kind and values of each cell that an edit adds or changes."""


@dataclass(frozen=True)
class Command:
    """The sender of an edit and the version that the sender saw. A command that arrives twice takes effect once."""

    author: str = ""
    base_version: int | None = None
    """None means the newest version."""
    command_id: str | None = None


class Book:
    """The version history of one notebook, with a cache of versions that were read."""

    def __init__(self, store: Store, notebook: NotebookId) -> None:
        self._store = store
        self._notebook = notebook
        self._cells: dict[int, Cells] = {0: ()}
        self._cell_versions: dict[CellHash, CellVersion] = {}

    def commit(self, branch: str, edit: Edit, said: Said = None, command: Command | None = None) -> VersionRecord:
        """Make an edit the newest version of a branch. Once this returns, the edit survives any crash.

        Edits of different cells merge. If somebody else changed the cell since the base version, this edit becomes a
        side version, which no branch includes, and `EditConflict` names it.
        """
        command = command or Command()
        with self._store.database.write("commit-edit") as connection:
            made = self._commit(connection, branch, edit, said, command)
        # After the transaction, so that the side version with the text of this edit is stored.
        if made.is_side:
            raise self._conflict(made, edit)
        return made

    def _commit(self, connection: Connection, branch: str, edit: Edit, said: Said, command: Command) -> VersionRecord:
        known = self._find_by_command(connection, command.command_id)
        if known is not None:  # the command arrived before, and takes effect once
            return known
        for each in [said] if isinstance(said, CellVersion) else said or ():
            notebooks.put_cell_version(connection, each)
        head = self._head(connection, branch)
        base = head if command.base_version is None else command.base_version
        before = self._at(connection, base)
        now = before if base == head else self._at(connection, head)
        contested = None if base == head else self._find_contested(connection, edit, base, head)
        if contested is not None:
            side = VersionRecord(
                version=0,
                parent=base or None,
                branch=branch,
                action=edit.action,
                cell=contested,
                author=command.author,
                time="",
                is_side=True,
            )
            return self._insert(connection, side, edit, before, command.command_id)
        fitted = anchored(edit, before, now)
        record = VersionRecord(
            version=0,
            parent=head or None,
            branch=branch,
            action=edit.action,
            cell=edit.cell,
            author=command.author,
            time="",
        )
        return self._insert(connection, record, fitted, now, command.command_id)

    def new_cell(self) -> CellId:
        """Return an id for a new cell. An id that is never used does no harm."""
        with self._store.database.write("commit-notebook") as connection:
            return CellId(notebooks.next_cell(connection, self._notebook))

    def head(self, branch: str) -> int:
        """Return the newest version of a branch."""
        with self._store.database.read() as connection:
            return self._head(connection, branch)

    def heads(self) -> dict[str, int]:
        """Return the newest version of every branch."""
        with self._store.database.read() as connection:
            return notebooks.heads(connection, self._notebook)

    def branch(self, name: str, at: int) -> None:
        """Make a branch that begins at this version."""
        with self._store.database.write("commit-notebook") as connection:
            self._at(connection, at)  # raises an error if there is no such version
            notebooks.make_branch(connection, self._notebook, name, at)

    def made_by(self, command_id: str) -> VersionRecord | None:
        """Return the version that this command made; None if it has not arrived before."""
        with self._store.database.read() as connection:
            return self._find_by_command(connection, command_id)

    def history(self) -> list[VersionRecord]:
        """Return every version, oldest first."""
        with self._store.database.read() as connection:
            return notebooks.history(connection, self._notebook)

    def cells(self, version: int) -> Cells:
        """Return the cells of a version, in order."""
        if version in self._cells:
            return self._cells[version]
        with self._store.database.read() as connection:
            return self._at(connection, version)

    def cell_versions(self, hashes: Iterable[CellHash]) -> dict[CellHash, CellVersion]:
        """Return the kind and values of these cell versions."""
        wanted = list(hashes)
        missing = [hash for hash in wanted if hash not in self._cell_versions]
        if missing:
            with self._store.database.read() as connection:
                self._cell_versions.update(notebooks.cell_versions(connection, missing))
        return {hash: self._cell_versions[hash] for hash in wanted}

    def _find_by_command(self, connection: Connection, command_id: str | None) -> VersionRecord | None:
        return None if command_id is None else notebooks.by_command(connection, self._notebook, command_id)

    def _head(self, connection: Connection, branch: str) -> int:
        heads = notebooks.heads(connection, self._notebook)
        if branch not in heads:
            raise UserError(f"There is no branch {branch}.", f"Branches: {', '.join(heads)}.")
        return heads[branch]

    def _insert(
        self, connection: Connection, record: VersionRecord, edit: Edit, before: Cells, command_id: str | None
    ) -> VersionRecord:
        after = edit.apply(before)
        depth = 1 + (notebooks.step(connection, self._notebook, record.parent).depth if record.parent else 0)
        if isinstance(edit, ReplaceAll):  # the edit itself lists all cells
            depth = 0
        content = cells_to_json(after) if depth >= WRITTEN_OUT else None
        step = notebooks.Step(record.parent, edit_to_json(edit), content, 0 if content is not None else depth)
        return notebooks.insert_version(connection, self._notebook, record, step, command_id)

    def _at(self, connection: Connection, version: int) -> Cells:
        """Return the cells of a version: the nearest earlier one cached or stored whole, and the edits since."""
        waiting: list[Edit] = []
        at, cells = version, self._cells.get(version)
        while cells is None:
            step = notebooks.step(connection, self._notebook, at)
            edit = edit_from_json(step.edit)
            if step.content is not None:
                cells = cells_from_json(step.content)
            elif isinstance(edit, ReplaceAll):
                cells = edit.entries
            else:
                waiting.append(edit)
                at = step.parent or 0
                cells = self._cells.get(at)
        for edit in reversed(waiting):
            cells = edit.apply(cells)
        self._remember(version, cells)
        return cells

    def _find_contested(self, connection: Connection, edit: Edit, base: int, head: int) -> CellId | None:
        """Return a cell that was changed or deleted between two versions in a way that this edit has not seen."""
        if isinstance(edit, Insert | ReplaceAll):
            return None
        if not self._leads_to(connection, base, head):
            raise UserError(f"Version {base} is not on this branch.", "Open the notebook again and repeat the edit.")
        then, now = ({entry.cell: entry for entry in self._at(connection, version)} for version in (base, head))
        if isinstance(edit, Arrange):
            return _find_contested_place(edit, then, now)
        return edit.cell if _is_contested(edit, then.get(edit.cell), now.get(edit.cell)) else None

    def _leads_to(self, connection: Connection, base: int, head: int) -> bool:
        while head > base:  # a version has a higher number than its parent
            head = notebooks.step(connection, self._notebook, head).parent or 0
        return head == base

    def _conflict(self, side: VersionRecord, edit: Edit) -> EditConflict:
        cell = CellId(str(side.cell))
        mine, theirs = (self._text(version, cell) for version in (side.version, self.head(side.branch)))
        subject = f"The place of cell {cell} on the page" if isinstance(edit, Arrange) and theirs is not None else None
        return EditConflict(cell, mine if isinstance(edit, Replace) else None, theirs, side.version, subject)

    def _text(self, version: int, cell: CellId) -> str | None:
        hash = {entry.cell: entry.hash for entry in self.cells(version)}.get(cell)
        if hash is None:
            return None
        values = self.cell_versions([hash])[hash].values
        return str(values.get("source", dict(values)))

    def _remember(self, version: int, cells: Cells) -> None:
        self._cells[version] = cells
        # The version that entered first goes first. Version 0, the empty notebook, is stored nowhere and must stay.
        while len(self._cells) > WRITTEN_OUT:
            del self._cells[next(each for each in self._cells if each)]


def _is_contested(edit: Replace | Delete | Move | Freeze | Thaw, then: Entry | None, now: Entry | None) -> bool:
    """Whether the cell of an edit became another between what its author saw and now."""
    match edit:
        case Replace():
            return now is None or (then is not None and now.hash not in (then.hash, edit.hash))
        case Delete():
            return now is None or (then is not None and now.hash != then.hash)
        case Move() | Freeze() | Thaw():
            return now is None


def _find_contested_place(edit: Arrange, then: Mapping[CellId, Entry], now: Mapping[CellId, Entry]) -> CellId | None:
    """Return a cell that got another place on the page meanwhile, or that is gone and should get one."""
    for cell, items in edit.items:
        here = now.get(cell)
        if here is None and items:
            return cell
        seen = then[cell].items if cell in then else ()
        if here is not None and here.items not in (seen, items):
            return cell
    return None
