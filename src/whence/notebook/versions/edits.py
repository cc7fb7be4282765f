"""The edits of a notebook: each turns one sequence of cells into another, and names the cell that it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, cast

from whence.model.errors import UserError
from whence.model.notebook import CellHash, CellId, CellRunId, Entry
from whence.model.page import PageItem, item_from_json, item_to_json, settle

Cells = tuple[Entry, ...]
ActionOnAll = Literal["restore", "import", "workflow", "rename"]


@dataclass(frozen=True)
class Insert:
    """Insert a new cell after another one, or at the top."""

    cell: CellId
    hash: CellHash
    after: CellId | None
    action: Literal["append", "insert"] = "append"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        place = 0 if self.after is None else position(cells, self.after) + 1
        return (*cells[:place], Entry(self.cell, self.hash), *cells[place:])


@dataclass(frozen=True)
class Replace:
    """Replace the kind and values of a cell."""

    cell: CellId
    hash: CellHash
    action: Literal["update"] = "update"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, hash=self.hash))


@dataclass(frozen=True)
class Delete:
    """Delete a cell."""

    cell: CellId
    action: Literal["delete"] = "delete"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        place = position(cells, self.cell)
        return (*cells[:place], *cells[place + 1 :])


@dataclass(frozen=True)
class Move:
    """Move a cell after another one, or to the top."""

    cell: CellId
    after: CellId | None
    action: Literal["move"] = "move"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        moved = cells[position(cells, self.cell)]
        rest = tuple(entry for entry in cells if entry.cell != self.cell)
        place = 0 if self.after is None else position(rest, self.after) + 1
        return (*rest[:place], moved, *rest[place:])


@dataclass(frozen=True)
class Freeze:
    """Freeze a cell: it keeps the results of one run and no longer runs, whatever changes above it."""

    cell: CellId
    kept: CellRunId | Literal[""]
    action: Literal["freeze"] = "freeze"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, kept=self.kept))


@dataclass(frozen=True)
class Thaw:
    """Let a frozen cell run again."""

    cell: CellId
    action: Literal["thaw"] = "thaw"

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        return _changed(cells, self.cell, lambda entry: replace(entry, kept=None))


@dataclass(frozen=True)
class Arrange:
    """Arrange the page: change what of these cells stands on it, and where."""

    items: tuple[tuple[CellId, tuple[PageItem, ...]], ...]
    action: Literal["arrange"] = "arrange"

    @property
    def cell(self) -> None:
        """None, because no content of a cell changes."""
        return None

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit. Cells that are gone take their items with them."""
        changed = dict(self.items)
        return tuple(replace(entry, items=changed.get(entry.cell, entry.items)) for entry in cells)


@dataclass(frozen=True)
class ReplaceAll:
    """Replace all cells: to restore a version, import a notebook, leave a session, or give datasets other names."""

    entries: Cells
    action: ActionOnAll = "restore"

    @property
    def cell(self) -> None:
        """None, because no single cell is meant."""
        return None

    def apply(self, cells: Cells) -> Cells:
        """Return the cells after the edit."""
        return self.entries


Edit = Insert | Replace | Delete | Move | Freeze | Thaw | Arrange | ReplaceAll

_KINDS: dict[str, type[Edit]] = {
    "append": Insert,
    "insert": Insert,
    "update": Replace,
    "delete": Delete,
    "move": Move,
    "freeze": Freeze,
    "thaw": Thaw,
    "arrange": Arrange,
    "restore": ReplaceAll,
    "import": ReplaceAll,
    "workflow": ReplaceAll,
    "rename": ReplaceAll,
}


def edit_to_json(edit: Edit) -> dict[str, object]:
    """Return an edit as JSON."""
    if isinstance(edit, ReplaceAll):
        return {"entries": cells_to_json(edit.entries), "action": edit.action}
    if isinstance(edit, Arrange):
        return {
            "items": {cell: [item_to_json(each) for each in items] for cell, items in edit.items},
            "action": "arrange",
        }
    return asdict(edit)


def edit_from_json(content: Mapping[str, object]) -> Edit:
    """Return the edit that `edit_to_json` wrote.

    >>> edit_from_json(edit_to_json(Move(CellId("c2"), None)))
    Move(cell='c2', after=None, action='move')
    """
    kind = _KINDS[str(content["action"])]
    if kind is ReplaceAll:
        entries = cells_from_json(cast("list[list[object]]", content["entries"]))
        return ReplaceAll(entries, cast("ActionOnAll", content["action"]))
    if kind is Arrange:
        given = cast("dict[str, list[Mapping[str, object]]]", content["items"])
        return Arrange(tuple((CellId(cell), _items(items)) for cell, items in given.items()))
    return kind(**content)  # type: ignore[arg-type]


def cells_to_json(cells: Cells) -> list[list[object]]:
    """Return cells as JSON: id and hash each, then the run kept if it is frozen, then its items on the page."""
    return [_entry_to_json(entry) for entry in cells]


def cells_from_json(content: Sequence[Sequence[object]]) -> Cells:
    """Return the cells that `cells_to_json` wrote."""
    return tuple(_entry_from_json(*each) for each in content)


def page_items(cells: Sequence[Entry]) -> list[PageItem]:
    """Return what stands on the page of a version, in reading order."""
    return settle(replace(item, cell=entry.cell) for entry in cells for item in entry.items)


def _entry_to_json(entry: Entry) -> list[object]:
    said: list[object] = [entry.cell, entry.hash]
    if entry.kept is not None or entry.items:
        said.append(entry.kept)
    if entry.items:
        said.append([item_to_json(each) for each in entry.items])
    return said


def _entry_from_json(cell: object, hash: object, kept: object = None, items: object = ()) -> Entry:
    run = None if kept is None else CellRunId(str(kept))
    return Entry(CellId(str(cell)), CellHash(str(hash)), run, _items(cast("list[Mapping[str, object]]", items)))


def _items(content: Sequence[Mapping[str, object]]) -> tuple[PageItem, ...]:
    return tuple(item_from_json(each) for each in content)


def position(cells: Sequence[Entry], cell: CellId) -> int:
    """Return the position of a cell, counted from 0."""
    for number, entry in enumerate(cells):
        if entry.cell == cell:
            return number
    raise UserError(f"The notebook has no cell {cell}.", "It may have been deleted; history() knows.")


def anchored(edit: Edit, base: Cells, cells: Cells) -> Edit:
    """Return the edit as it applies to newer cells: if its `after` cell is gone, the nearest one before stands in."""
    if not isinstance(edit, Insert | Move) or edit.after is None:
        return edit
    there = {entry.cell for entry in cells if entry.cell != edit.cell}  # a cell cannot move after itself
    names = [entry.cell for entry in base]
    if edit.after not in names and edit.after not in there:
        raise UserError(f"The notebook has no cell {edit.after}.", "It may have been deleted; history() knows.")
    before = names[: names.index(edit.after) + 1] if edit.after in names else [edit.after]
    return replace(edit, after=next((cell for cell in reversed(before) if cell in there), None))


def _changed(cells: Cells, cell: CellId, change: Callable[[Entry], Entry]) -> Cells:
    place = position(cells, cell)
    return (*cells[:place], change(cells[place]), *cells[place + 1 :])
