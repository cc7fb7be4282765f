"""What two versions differ in."""

from __future__ import annotations

from whence.model.notebook import CellId, CellVersion, Entry
from whence.notebook.versions.compare import compare_cells


def test_cells_that_came_went_moved_or_changed_are_told_apart() -> None:
    texts = {name: CellVersion("sql", {"source": f"select\n{name}", "name": "x"}) for name in "abcdef"}
    said = {each.hash: each for each in texts.values()}

    def version(**cells: str) -> tuple[Entry, ...]:
        return tuple(Entry(CellId(cell), texts[text].hash) for cell, text in cells.items())

    found = compare_cells(version(c1="a", c2="b", c3="c", c4="d"), version(c4="d", c1="a", c2="e", c5="f"), said)
    assert [(each.cell, each.change) for each in found] == [
        ("c4", "moved"),
        ("c2", "changed"),
        ("c5", "added"),
        ("c3", "removed"),
    ]
    assert found[1].diff.splitlines()[1:] == [' name = "x"', " select", "-b", "+e"]
