"""Compares two versions of a notebook, cell by cell."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from whence.model.notebook import CellHash, CellId, CellVersion
from whence.notebook.versions.edits import Cells


@dataclass(frozen=True)
class CellChange:
    """One cell that differs between two versions."""

    cell: CellId
    change: Literal["added", "removed", "changed", "moved"]
    before: CellVersion | None
    after: CellVersion | None

    @property
    def diff(self) -> str:
        """The lines that differ, as a unified diff without file names."""
        return "\n".join(
            line
            for line in difflib.unified_diff(_lines(self.before), _lines(self.after), lineterm="", n=2)
            if not line.startswith(("---", "+++"))
        )


def compare_cells(before: Cells, after: Cells, said: Mapping[CellHash, CellVersion]) -> list[CellChange]:
    """Return the changes in the order of the later version, removed cells last."""
    old, new = ({entry.cell: said[entry.hash] for entry in cells} for cells in (before, after))
    stayed = [entry.cell for entry in after if entry.cell in old]
    moved = _moved([entry.cell for entry in before if entry.cell in new], stayed)
    found = []
    for cell, text in new.items():
        if cell not in old:
            found.append(CellChange(cell, "added", None, text))
        elif old[cell] != text:
            found.append(CellChange(cell, "changed", old[cell], text))
        elif cell in moved:
            found.append(CellChange(cell, "moved", text, text))
    return found + [CellChange(cell, "removed", text, None) for cell, text in old.items() if cell not in new]


def _moved(before: list[CellId], after: list[CellId]) -> set[CellId]:
    """Return cells whose moving explains the new order; cells in the longest common blocks did not move."""
    same = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return set(after) - {cell for block in same for cell in before[block.a : block.a + block.size]}


def _lines(said: CellVersion | None) -> list[str]:
    if said is None:
        return []
    rest = [f"{key} = {json.dumps(value)}" for key, value in sorted(said.values.items()) if key != "source"]
    return [said.kind, *rest, *str(said.values.get("source", "")).split("\n")]
