from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.loading.reading import loaded_of, places, rows, types
from whence.loading import load_path
from whence.loading.load import LoadRequest
from whence.loading.read_sqlite import read_sqlite
from whence.model.errors import BadInput
from whence.store.store import Store


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table orders (id integer, price real, note text, raw blob)")
        made.executemany(
            "insert into orders values (?, ?, ?, ?)",
            [(1, 2.5, "007", b"\x00\x01"), (2, "oops", None, None), (3, 4.0, "x", b"z"), (4, 1, "y", b"")],
        )
        made.execute("create table people (name text)")
    return path


def test_a_table_is_read_with_the_types_of_its_values(database: Path) -> None:
    loaded = loaded_of(read_sqlite(database, database.with_name("parts"), "orders"))
    assert types(loaded) == {"id": "bigint", "price": "double", "note": "string", "raw": "binary"}
    assert rows(loaded)[:2] == [(1, 2.5, "007", b"\x00\x01"), (2, None, None, None)]
    assert places(loaded) == [("misfit", 1, "price", '"oops"')]


def test_other_tables_are_named_unless_one_was_chosen(store: Store, database: Path) -> None:
    assert "there are also people" in store.caveats(load_path(store, database, "t"))[0].message
    assert load_path(store, database, "people", LoadRequest(table="people")).rows == 0
    with pytest.raises(BadInput, match=r"has no table x\. There are orders, people\."):
        load_path(store, database, "t", LoadRequest(table="x"))


def test_only_tables_of_sqlite_itself_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "names.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("create table sqlitex (id integer primary key autoincrement)")  # makes sqlite_sequence, too
    with pytest.raises(BadInput, match=r"There are sqlitex\.$"):
        read_sqlite(path, tmp_path / "parts", "x")
