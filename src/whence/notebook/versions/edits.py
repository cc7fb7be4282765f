"""What can be done to a notebook: each edit turns one sequence of cells into another, and says whom it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, cast

from whence.model.errors import UserError
from whence.model.notebook import CellHash, CellId, CellRunId, Entry

Cells = tuple[Entry, ...]


@dataclass(frozen=True)
class Insert:
    """A new cell behind another, or in front of all."""

    cell: CellId
    hash: CellHash
    after: CellId | None
    action: Literal["append", "insert"] = "append"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        place = 0 if self.after is None else position(cells, self.after) + 1
        return (*cells[:place], Entry(self.cell, self.hash), *cells[place:])


@dataclass(frozen=True)
class Replace:
    """A cell says something else from now on."""

    cell: CellId
    hash: CellHash
    action: Literal["update"] = "update"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, hash=self.hash))


@dataclass(frozen=True)
class Delete:
    """A cell goes."""

    cell: CellId
    action: Literal["delete"] = "delete"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        place = position(cells, self.cell)
        return (*cells[:place], *cells[place + 1 :])


@dataclass(frozen=True)
class Move:
    """A cell goes behind another, or in front of all."""

    cell: CellId
    after: CellId | None
    action: Literal["move"] = "move"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        moved = cells[position(cells, self.cell)]
        rest = tuple(entry for entry in cells if entry.cell != self.cell)
        place = 0 if self.after is None else position(rest, self.after) + 1
        return (*rest[:place], moved, *rest[place:])


@dataclass(frozen=True)
class Freeze:
    """A cell keeps what it gave, whatever changes around it; it no longer runs."""

    cell: CellId
    kept: CellRunId | Literal[""]
    action: Literal["freeze"] = "freeze"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, kept=self.kept))


@dataclass(frozen=True)
class Thaw:
    """A cell runs again."""

    cell: CellId
    action: Literal["thaw"] = "thaw"

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, kept=None))


@dataclass(frozen=True)
class ReplaceAll:
    """All cells at once: an earlier version comes back, a notebook is taken in, or a session becomes a workflow."""

    entries: Cells
    action: Literal["restore", "import", "workflow"] = "restore"

    @property
    def cell(self) -> None:
        """No single cell is meant."""
        return None

    def apply(self, cells: Cells) -> Cells:
        """The cells after the edit."""
        return self.entries


Edit = Insert | Replace | Delete | Move | Freeze | Thaw | ReplaceAll

_KINDS: dict[str, type[Edit]] = {
    "append": Insert,
    "insert": Insert,
    "update": Replace,
    "delete": Delete,
    "move": Move,
    "freeze": Freeze,
    "thaw": Thaw,
    "restore": ReplaceAll,
    "import": ReplaceAll,
    "workflow": ReplaceAll,
}


def edit_to_json(edit: Edit) -> dict[str, object]:
    """An edit as stored."""
    if isinstance(edit, ReplaceAll):
        return {"entries": cells_to_json(edit.entries), "action": edit.action}
    return asdict(edit)


def edit_from_json(content: Mapping[str, object]) -> Edit:
    """An edit as it was.

    >>> edit_from_json(edit_to_json(Move(CellId("c2"), None)))
    Move(cell='c2', after=None, action='move')
    """
    kind = _KINDS[str(content["action"])]
    if kind is ReplaceAll:
        entries = cells_from_json(cast("list[list[str | None]]", content["entries"]))
        return ReplaceAll(entries, cast("Literal['restore', 'import', 'workflow']", content["action"]))
    return kind(**content)  # type: ignore[arg-type]


def cells_to_json(cells: Cells) -> list[list[str | None]]:
    """Cells as stored: most are a pair."""
    return [[entry.cell, entry.hash] if entry.kept is None else [entry.cell, entry.hash, entry.kept] for entry in cells]


def cells_from_json(content: Sequence[Sequence[str | None]]) -> Cells:
    """Cells as they were."""
    return tuple(
        Entry(CellId(str(cell)), CellHash(str(hash)), CellRunId(str(kept[0])) if kept else None)
        for cell, hash, *kept in content
    )


def position(cells: Sequence[Entry], cell: CellId) -> int:
    """Where a cell stands."""
    for number, entry in enumerate(cells):
        if entry.cell == cell:
            return number
    raise UserError(f"The notebook has no cell {cell}.", "It may have been deleted; history() knows.")


def anchored(edit: Edit, base: Cells, cells: Cells) -> Edit:
    """The edit with an anchor that still stands: if the cell it was put behind went, the nearest one before that."""
    if not isinstance(edit, Insert | Move) or edit.after is None:
        return edit
    there = {entry.cell for entry in cells if entry.cell != edit.cell}
    names = [entry.cell for entry in base]
    if edit.after not in names and edit.after not in there:
        raise UserError(f"The notebook has no cell {edit.after}.", "It may have been deleted; history() knows.")
    before = names[: names.index(edit.after) + 1] if edit.after in names else [edit.after]
    return replace(edit, after=next((cell for cell in reversed(before) if cell in there), None))


def _changed(cells: Cells, cell: CellId, change: Callable[[Entry], Entry]) -> Cells:
    place = position(cells, cell)
    return (*cells[:place], change(cells[place]), *cells[place + 1 :])
