from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook

from tests.loading.reading import places, rows, types
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.loading.options import Options
from whence.loading.read_excel import read_excel
from whence.model.errors import BadInput
from whence.store.store import Store


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = Workbook()
    first = made.active
    first.title = "orders"
    for row in (
        ["id", "code", "price", "day", "at", "ok"],
        [1, "007", 2.5, date(2024, 1, 31), datetime(2024, 1, 31, 10, 20), True],
        [],
        [2, "008", "oops", date(2024, 2, 1), datetime(2024, 2, 1, 11, 0), False],
        [3, None, 4, date(2024, 2, 2), datetime(2024, 2, 2, 12, 30), True],
        [4, "x", 5.25, date(2024, 2, 3), datetime(2024, 2, 3, 12, 30), None],
    ):
        first.append(row)
    second = made.create_sheet("people")
    second.append(["name"])
    second.append(["Ada"])
    path = tmp_path / "book.xlsx"
    made.save(path)
    return path


def test_a_sheet_is_a_table_with_the_types_of_its_cells(book: Path) -> None:
    loaded = read_excel(book, "orders")
    assert types(loaded) == {
        "id": "bigint",
        "code": "string",
        "price": "double",
        "day": "date",
        "at": "timestamp_ntz",
        "ok": "boolean",
    }
    assert rows(loaded)[0] == (1, "007", 2.5, date(2024, 1, 31), datetime(2024, 1, 31, 10, 20), True)
    assert loaded.table["__whence_line"].to_pylist() == [2, 4, 5, 6]
    assert places(loaded) == [("misfit", 1, "price", '"oops"')]


def test_other_sheets_are_named_unless_one_was_chosen(store: Store, book: Path) -> None:
    record = load_path(store, book, "orders")
    assert "there are also people, sheet= chooses one" in store.caveats(record)[0].message
    record = load_path(store, book, "people", LoadRequest(sheet="people"))
    assert store.read(record, 0, 9).to_pydict() == {"name": ["Ada"]}
    assert store.caveats(record) == []
    with pytest.raises(BadInput, match=r"has no sheet x\. There are orders, people\."):
        load_path(store, book, "t", LoadRequest(sheet="x"))


def test_a_formula_without_a_stored_value_is_named_with_its_text(tmp_path: Path) -> None:
    made = Workbook()
    made.active.append(["a", "b"])
    made.active.append([1, "=A2+1"])
    made.save(tmp_path / "t.xlsx")
    loaded = read_excel(tmp_path / "t.xlsx")
    assert rows(loaded) == [(1, None)]
    assert places(loaded) == [("no value", 0, "b", "=A2+1")]


def test_options_for_text_are_refused_and_a_broken_file_too(store: Store, book: Path) -> None:
    with pytest.raises(BadInput, match="delimiter= is for delimited text, and an Excel file is none"):
        load_path(store, book, "t", LoadRequest(options=Options(delimiter=";")))
    book.write_bytes(book.read_bytes()[:500])
    with pytest.raises(BadInput, match="cannot be read"):
        load_path(store, book, "t")
