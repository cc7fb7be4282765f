"""Compares two versions of a notebook, cell by cell."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from whence.model.notebook import CellHash, CellId, CellVersion
from whence.model.page import PageItem, item_to_json
from whence.notebook.versions.edits import Cells


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
        """The lines that differ, as a unified diff without file names."""
        return "\n".join(
            line
            for line in difflib.unified_diff(
                _lines(self.before, self.items_before), _lines(self.after, self.items_after), lineterm="", n=2
            )
            if not line.startswith(("---", "+++"))
        )


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
    placed = [f"on the page: {json.dumps(item_to_json(item))}" for item in items]
    rest = [f"{key} = {json.dumps(value)}" for key, value in sorted(said.values.items()) if key != "source"]
    return [said.kind, *placed, *rest, *str(said.values.get("source", "")).split("\n")]
