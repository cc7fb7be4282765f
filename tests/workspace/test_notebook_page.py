"""The page of a notebook through the library: built, changed, undone, branched, exported, imported and shared."""

from __future__ import annotations

from pathlib import Path

import pytest

import whence
from whence.model.errors import EditConflict, UserError
from whence.model.page import PageItem


def places(nb: whence.Notebook) -> list[tuple[str, str, str, int, int, int, int]]:
    return [(each.cell, each.shows, each.name, each.x, each.y, each.width, each.height) for each in nb.page.items]


@pytest.fixture
def nb(ws: whence.Workspace) -> whence.Notebook:
    """A notebook of every sort of thing that a page shows. Nothing has run."""
    ws.create("t", [("a", 1), ("b", 4), ("a", 3)], schema="k string, x int")
    nb = ws.notebook("sales")
    nb.mode = "lazy"
    nb.append("markdown", source="# Sales")
    nb.append("parameters", source="# the least\nleast = 2\nfirst = 2024-01-01\nlast = 2024-02-01")
    nb.append("sql", source="select * from t where x >= :least", name="much")
    nb.append("chart", source="much", chart="bar", x="k", name="bars")
    return nb


def test_the_path_of_a_page(nb: whence.Notebook) -> None:
    for cell in ("c1", "c4", "c3"):
        nb.page.add(cell)
    slider = nb.page.add_input("least", "slider", low=0, high=9, y=2, x=9)
    assert places(nb) == [
        ("c1", "text", "", 0, 0, 12, 2),
        ("c4", "chart", "", 0, 2, 6, 8),
        ("c2", "input", "least", 9, 2, 3, 2),
        ("c3", "table", "", 0, 10, 6, 8),
    ]
    wide = nb.page.change(slider, x=4, width=8, title="At least")
    assert (wide.y, wide.title) == (2, "At least")
    assert places(nb)[1:] == [
        ("c2", "input", "least", 4, 2, 8, 2),
        ("c4", "chart", "", 0, 4, 6, 8),
        ("c3", "table", "", 0, 12, 6, 8),
    ], "what it covers moves down"
    nb.page.remove(slider)
    assert [each.cell for each in nb.page.items] == ["c1", "c4", "c3"]
    assert [(each.action, each.cell) for each in nb.history()[4:]] == [("arrange", None)] * 6
    found = nb.compare(5, 7).cells
    assert [(each.cell, each.change) for each in found] == [("c3", "changed"), ("c4", "changed")]
    assert "+on the page: chart, columns 1 to 6, rows 3 to 10" in found[1].diff
    assert all(cell.status in ("stale", "waiting") for cell in nb.cells), "arranging runs nothing"
    nb.restore(5)
    assert [each.cell for each in nb.page.items] == ["c1"]
    nb.branch("try", at=10)
    assert [each.cell for each in nb.checkout("try").page.items] == ["c1", "c4", "c3"]
    nb.delete("c4")
    assert [each.cell for each in nb.page.items] == ["c1", "c3"]
    nb.page.arrange([])
    assert nb.page.items == []


def test_a_page_is_in_every_file_of_the_notebook(nb: whence.Notebook, ws: whence.Workspace, tmp_path: Path) -> None:
    nb.page.add("c3", name="much", width=4, title="100 % \u201cmuch\u201d")
    nb.page.add_input("least", "select", choices=[1, 2, "more"])
    nb.page.add_input("first", "dates", until="last")
    before = places(nb)
    assert "\n% @page = [{" in nb.text
    nb.export(tmp_path / "sales.ipynb")
    other = ws.copy_notebook("sales", "copy")
    assert [each[2] for each in places(other)] == ["much_copy", "least", "first"], "names follow"
    ws.drop_notebook("copy")
    text = nb.text
    ws.drop_notebook("sales")
    assert places(ws.read_notebook(text)) == before
    assert ws.notebook("sales").text == text
    ws.drop_notebook("sales")
    read = ws.import_notebook(tmp_path / "sales.ipynb")
    assert (places(read), read.text) == (before, text)
    read.replace(read.at(read.version))
    assert places(read) == before, "the same cells keep their places"


def test_a_table_keeps_its_dataset_when_that_gets_another_name(nb: whence.Notebook) -> None:
    nb.page.add("c3", name="much")
    nb.rename_datasets({"Much": "plenty"}, run=False)
    assert [each.name for each in nb.page.items] == ["plenty"]


def test_two_tabs_merge_or_conflict(nb: whence.Notebook) -> None:
    nb.page.add("c1")
    text, base = nb.page.items[0], nb.version
    nb.page.arrange([text, PageItem("table", y=9, cell="c3")], base_version=base)
    nb.page.arrange([text, PageItem("chart", y=20, cell="c4")], base_version=base)
    assert [each.cell for each in nb.page.items] == ["c1", "c3", "c4"]
    nb.page.change(text, width=3)
    with pytest.raises(EditConflict, match="The place of cell c1 on the page was changed"):
        nb.page.arrange([PageItem("text", width=5, cell="c1")], base_version=base)


def test_what_cannot_be_on_a_page_is_refused_in_a_sentence(nb: whence.Notebook) -> None:
    with pytest.raises(UserError, match="A parameters cell makes nothing to show"):
        nb.page.add("c2")
    with pytest.raises(UserError, match="No parameters cell sets most"):
        nb.page.add_input("most", "number")
    with pytest.raises(UserError, match="The notebook has no cell c9"):
        nb.page.arrange([PageItem("text", cell="c9")])
    with pytest.raises(UserError, match="The chart of cell c4 is not on the page"):
        nb.page.change(PageItem("chart", cell="c4"), x=2)


def test_an_input_sets_its_parameter_and_what_depends_on_it_runs(nb: whence.Notebook, ws: whence.Workspace) -> None:
    nb.mode = "auto"
    nb.wait()
    nb.set_parameters({"least": 4, "first": "2024-01-02"})
    assert nb.cells[1].source == "# the least\nleast = 4\nfirst = 2024-01-02\nlast = 2024-02-01"
    nb.wait()
    assert ws["much"].to_arrow().to_pylist() == [{"k": "b", "x": 4}]


def test_a_share_link_shows_the_page_of_its_version(nb: whence.Notebook, ws: whence.Workspace) -> None:
    nb.page.add("c1")
    link = nb.share()
    nb.page.add("c3")
    shared = ws.shared(str(link.token))
    assert shared is not None
    assert [each.cell for each in shared.items] == ["c1"]
