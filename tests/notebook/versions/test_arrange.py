"""The page in the history of a notebook: an arrangement is an edit that merges, conflicts, branches and comes back."""

from __future__ import annotations

import pytest

from tests.notebook.versions.test_book import append, book
from whence.model.errors import EditConflict
from whence.model.notebook import CellId
from whence.model.page import Control, PageItem
from whence.notebook.versions.book import WRITTEN_OUT, Book, Command
from whence.notebook.versions.edits import Arrange, Delete, Move, ReplaceAll, page_items

__all__ = ["book"]
INPUT = PageItem("input", "least", x=6, width=3, height=2, control=Control("select", choices=(1, "two", True)))


def arrange(book: Book, cell: str, *items: PageItem, base: int | None = None, branch: str = "main") -> int:
    edit = Arrange(((CellId(cell), items),))
    return book.commit(branch, edit, None, Command(base_version=base)).version


def shown(book: Book, version: int | None = None) -> list[tuple[str, int, int]]:
    cells = book.cells(book.head("main") if version is None else version)
    return [(item.cell, item.x, item.y) for item in page_items(cells)]


def test_an_arrangement_is_read_back_from_the_store(book: Book) -> None:
    first = append(book, "one")
    second = append(book, "two", first)
    arrange(book, first, PageItem("text", y=3, title="First"), PageItem("table", "t", width=5))
    arrange(book, second, INPUT)
    fresh = Book(book._store, book._notebook)
    assert fresh.cells(4) == book.cells(4)
    assert [(each.version, each.action, each.cell) for each in book.history()][2:] == [
        (3, "arrange", None),
        (4, "arrange", None),
    ]
    assert page_items(fresh.cells(4)) == [
        PageItem("table", "t", width=5, cell="c1"),
        PageItem(**vars(INPUT) | {"cell": "c2"}),
        PageItem("text", y=8, title="First", cell="c1"),
    ], "what would be covered moves down"


def test_a_page_survives_versions_that_store_all_cells(book: Book) -> None:
    cell = append(book, "one")
    arrange(book, cell, INPUT)
    for _ in range(WRITTEN_OUT + 1):
        book.commit("main", Move(cell, None))
    assert page_items(Book(book._store, book._notebook).cells(book.head("main"))) == page_items(book.cells(2))


def test_a_deleted_cell_leaves_the_page_and_comes_back_with_its_version(book: Book) -> None:
    cell = append(book, "one")
    arrange(book, cell, PageItem("text"))
    book.commit("main", Delete(cell))
    assert shown(book) == []
    book.commit("main", ReplaceAll(book.cells(2)))
    assert shown(book) == [("c1", 0, 0)]


def test_branches_have_pages_of_their_own(book: Book) -> None:
    cell = append(book, "one")
    arrange(book, cell, PageItem("text"))
    book.branch("try", 2)
    arrange(book, cell, PageItem("text", y=7), branch="try")
    assert (shown(book), shown(book, book.head("try"))) == ([("c1", 0, 0)], [("c1", 0, 7)])


def test_two_who_move_different_items_merge_and_of_one_item_the_later_is_told(book: Book) -> None:
    first = append(book, "one")
    second = append(book, "two", first)
    arrange(book, first, PageItem("text"), base=2)
    arrange(book, second, PageItem("text", y=20), base=2)
    assert shown(book) == [("c1", 0, 0), ("c2", 0, 20)]
    arrange(book, second, PageItem("text", y=30), base=4)
    with pytest.raises(EditConflict, match="The place of cell c2 on the page was changed") as caught:
        arrange(book, second, PageItem("text", y=40), base=4)
    assert (shown(book), shown(book, caught.value.side_version)) == (
        [("c1", 0, 0), ("c2", 0, 30)],
        [("c1", 0, 0), ("c2", 0, 40)],
    )
    arrange(book, second, PageItem("text", y=30), base=4)
    book.commit("main", Delete(first))
    with pytest.raises(EditConflict, match="Cell c1 was deleted"):
        arrange(book, first, PageItem("text", y=9), base=4)
    arrange(book, first, base=4)
    assert shown(book) == [("c2", 0, 30)], "who takes a cell off the page that is gone has what was wanted"
