"""Caveats stated from Python about cells, rows, columns and rows that may be missing."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import whence

if TYPE_CHECKING:
    from whence import Dataset, Workspace


def marks(ds: "Dataset", column: str) -> list[bool]:
    flags: list[bool] = ds.caveats.marks().column(column).to_pylist()
    return flags


@pytest.fixture
def ages(ws: "Workspace") -> "Dataset":
    return ws.create("ages", [("Ada", 36), ("Bob", 400), ("Cy", 7)], schema="name string, age int")


def test_a_caveat_is_a_new_version_with_the_same_rows(ws: "Workspace", ages: "Dataset") -> None:
    by_rule = ages.caveat("age > 120", "age", "nobody is that old")
    by_rows = by_rule.caveat([2], None, "a child cannot have signed")
    assert (by_rows.version, by_rows.to_arrow() == ages.to_arrow()) == (3, True)
    assert (marks(by_rows, "age"), marks(by_rows, "_row")) == ([False, True, False], [False, False, True])
    assert [group.message for group in by_rows.caveats.list(row=1)] == ["nobody is that old"]
    assert by_rows.lineage.backward([1], to=ages).ids.tolist() == [1]
    assert not any(marks(ages, "age")), "a version never changes"
    whole = ages.caveat(None, "name", "spelled by ear")
    assert all(marks(whole, "name"))
    rows = ages.caveat(by_rows.lineage.backward([0], to=ages), "age", "guessed")
    assert marks(rows, "age") == [True, False, False]


def test_rows_may_be_missing_from_a_dataset(ws: "Workspace", ages: "Dataset") -> None:
    lost = ages.caveat(None, None, "the second page was lost")
    assert (lost.caveats.row_set, marks(lost, "age")) == (True, [False] * 3)
    oldest = ws.sql("select max(age) m from ages", name="oldest")
    assert marks(oldest, "m") == [True]
    assert [(group.message, group.family) for group in oldest.caveats.list(row=0)] == [
        ("the second page was lost", "missing")
    ]
    oldest.caveats.acknowledge("missing")
    assert (marks(oldest, "m"), lost.caveats.row_set) == ([False], False)


def test_what_was_said_about_a_row_is_said_again_when_it_is_reloaded(ws: "Workspace", tmp_path: Path) -> None:
    file = tmp_path / "towns.csv"
    file.write_text("town,people\nUlm,126\nBonn,331\n")
    ws.load(file, name="towns").caveat("town = 'Bonn'", "people", "counted twice").caveat(None, None, "Jena is missing")
    file.write_text("town,people\nJena,111\nBonn,331\nUlm,126\n")
    again = ws.reload("towns")
    assert again.rows().column("town").to_pylist() == ["Jena", "Bonn", "Ulm"]
    assert (marks(again, "people"), again.caveats.row_set) == ([False, True, False], True)


def test_a_wrong_place_is_one_sentence(ages: "Dataset") -> None:
    with pytest.raises(whence.WhenceError, match="has no column size"):
        ages.caveat(None, "size", "why")
    with pytest.raises(whence.WhenceError, match="has no row 9"):
        ages.caveat([9], "age", "why")
    with pytest.raises(whence.WhenceError, match="no column weight"):
        ages.caveat("weight > 1", "age", "why")
