"""Compares two versions of a notebook, cell by cell."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from whence.model.notebook import CellHash, CellId, CellVersion
from whence.model.page import PageItem, describe_item
from whence.notebook.versions.edits import Cells

_WRITTEN = frozenset({"sql", "python", "markdown"})
"""The kinds whose source is a text of lines, and not the name of what they read."""


@dataclass(frozen=True)
class CellChange:
    """One cell that differs between two versions."""

    cell: CellId
    change: Literal["added", "removed", "changed", "moved"]
    before: CellVersion | None
    after: CellVersion | None
    items_before: tuple[PageItem, ...] = ()
    """What of the cell stood on the page."""
    items_after: tuple[PageItem, ...] = ()

    @property
    def diff(self) -> str:
        """The lines that differ, in words, as a unified diff without file names."""
        kinds = [each.kind for each in (self.before, self.after) if each is not None]
        differ = [[f"kind: {kind}"] for kind in kinds] if len(set(kinds)) > 1 else [[], []]
        old = [*differ[0], *_lines(self.before, self.items_before)]
        new = [*differ[1], *_lines(self.after, self.items_after)]
        # The first two lines of a unified diff name the files.
        return "\n".join(list(difflib.unified_diff(old, new, lineterm="", n=2))[2:])


def compare_cells(before: Cells, after: Cells, said: Mapping[CellHash, CellVersion]) -> list[CellChange]:
    """Return the changes in the order of the later version, removed cells last."""
    old, new = ({entry.cell: said[entry.hash] for entry in cells} for cells in (before, after))
    was, now = ({entry.cell: entry.items for entry in cells} for cells in (before, after))
    stayed = [entry.cell for entry in after if entry.cell in old]
    moved = _moved([entry.cell for entry in before if entry.cell in new], stayed)
    found = []
    for cell, text in new.items():
        if cell not in old:
            found.append(CellChange(cell, "added", None, text, items_after=now[cell]))
        elif (old[cell], was[cell]) != (text, now[cell]):
            found.append(CellChange(cell, "changed", old[cell], text, items_before=was[cell], items_after=now[cell]))
        elif cell in moved:
            found.append(CellChange(cell, "moved", text, text))
    return found + [CellChange(cell, "removed", text, None, was[cell]) for cell, text in old.items() if cell not in new]


def _moved(before: list[CellId], after: list[CellId]) -> set[CellId]:
    """Return cells whose moving explains the new order; cells in the longest common blocks did not move."""
    same = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return set(after) - {cell for block in same for cell in before[block.a : block.a + block.size]}


def _lines(said: CellVersion | None, items: Sequence[PageItem]) -> list[str]:
    if said is None:
        return []
    placed = [f"on the page: {describe_item(item)}" for item in items]
    text = str(said.values.get("source", "")).splitlines() if said.kind in _WRITTEN else []
    # The page says the edits of a sheet in words, for which it needs all of each.
    words = _json if said.kind == "sheet" else _words
    rest = [
        f"{key}: {words(each) if isinstance(each, Mapping) else _words(each)}"
        for key, value in sorted(said.values.items())
        if not text or key != "source"
        for each in _parts(value)
    ]
    return [*placed, *rest, *text]


def _parts(value: object) -> Sequence[object]:
    """Return the entries of a list of entries, such as the edits of a sheet: each gets a line of its own."""
    return value if isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value) else [value]


def _words(value: object) -> str:
    """Return a value as forms show it: texts as they are, lists with commas, names with what they stand for.

    >>> _words(["BORO", "hour"]), _words({"n": "count(*)"}), _words(True)
    ('BORO, hour', 'n = count(*)', 'true')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, str | int | float) for each in value):
        return ", ".join(_words(each) for each in value)
    if isinstance(value, Mapping) and all(isinstance(each, str | int | float) for each in value.values()):
        return ", ".join(f"{key} = {_words(each)}" for key, each in value.items())
    return _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
