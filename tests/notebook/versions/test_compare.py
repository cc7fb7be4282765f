"""What two versions differ in."""

from __future__ import annotations

from whence.model.notebook import CellId, CellVersion, Entry
from whence.model.page import PageItem
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
    assert found[1].diff.splitlines()[1:] == [" name: x", " select", "-b", "+e"]


def test_forms_the_kind_and_the_page_are_compared_in_words() -> None:
    grouped = CellVersion("group_by", {"source": "prices", "columns": ["part", "shop"], "values": {"n": "count(*)"}})
    drawn = CellVersion("chart", {"source": "prices", "spec": {"aes": {"x": "part"}}})
    (found,) = compare_cells(
        (Entry(CellId("c1"), grouped.hash, items=(PageItem("table", "prices", x=6),)),),
        (Entry(CellId("c1"), drawn.hash, items=(PageItem("chart", title="Parts", height=1),)),),
        {each.hash: each for each in (grouped, drawn)},
    )
    assert found.diff.splitlines()[1:] == [
        "-kind: group_by",
        "-on the page: table prices, columns 7 to 12, rows 1 to 8",
        "-columns: part, shop",
        "+kind: chart",
        "+on the page: chart “Parts”, columns 1 to 6, row 1",
        " source: prices",
        "-values: n = count(*)",
        '+spec: {"aes": {"x": "part"}}',
    ]


def test_each_entry_of_a_list_has_a_line_and_an_added_cell_does_not_repeat_its_kind() -> None:
    said = CellVersion("sheet", {"source": "prices", "operations": [{"kind": "a", "to": {"value": 1}}, {"kind": "b"}]})
    (found,) = compare_cells((), (Entry(CellId("c1"), said.hash),), {said.hash: said})
    assert found.diff.splitlines()[1:] == [
        '+operations: {"kind": "a", "to": {"value": 1}}',
        '+operations: {"kind": "b"}',
        "+source: prices",
    ]
