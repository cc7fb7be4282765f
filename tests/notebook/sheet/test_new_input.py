"""A sheet over data that has changed: edits find their rows again by key, or are listed as lost, never moved."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import whence

SCHEMA = "part string, price int"


def test_edits_follow_their_rows(quiet: whence.Workspace) -> None:
    before = quiet.create("prices", [("bolt", 10), ("nut", 4), ("nail", 7)], SCHEMA)
    sheet = quiet.sheet(before).set(0, "price", 11).set(1, "price", 5).delete_row(2)
    kept = json.loads(json.dumps(sheet.operations))
    quiet.create("prices", [("nail", 7), ("screw", 1), ("bolt", 10)], SCHEMA)
    again = quiet.sheet("prices", kept)
    assert again.page().values == {"part": ["screw", "bolt"], "price": [1, 11]}
    assert [str(each) for each in again.lost] == ["Set a cell of price. Not applied, because its row is gone."]
    applied = again.apply("edited")
    assert applied.sheet_report is not None
    assert applied.sheet_report.lost == ["Set a cell of price. Not applied, because its row is gone."]


def test_edits_whose_column_is_gone_are_listed(quiet: whence.Workspace) -> None:
    before = quiet.create("prices", [("bolt", 10)], SCHEMA)
    kept = quiet.sheet(before).set(0, "price", 11).insert_column("gross").set(0, "gross", "=C1*2").operations
    quiet.create("prices", [("bolt",)], "part string")
    again = quiet.sheet("prices", kept)
    assert len(again.lost) == 2  # the row is another one without its price, so the formula is lost, too
    assert again.columns == ["gross", "part"]


def test_a_declared_key_finds_rows_whose_other_values_changed(quiet: whence.Workspace, tmp_path: Path) -> None:
    file = tmp_path / "parts.csv"
    file.write_text("id,price\n1,10\n2,4\n3,7\n")
    quiet.load(file, key="id")
    kept = quiet.sheet("parts").set(1, "price", 5).insert_row(after=1).set(2, "id", 99).operations
    file.write_text("id,price\n3,8\n2,6\n")
    quiet.reload("parts")
    again = quiet.sheet("parts", kept)
    assert again.page().values == {"id": [3, 2, 99], "price": [8, 5, None]}
    assert again.lost == []


def test_formulas_that_name_a_lost_row_say_so(quiet: whence.Workspace) -> None:
    before = quiet.create("prices", [("bolt", 10), ("nut", 4)], SCHEMA)
    kept = quiet.sheet(before).insert_column("share", after="price").set(0, "share", "=B1/B$2").operations
    quiet.create("prices", [("bolt", 10)], SCHEMA)
    page = quiet.sheet("prices", kept).page()
    assert page.errors[0, "share"].code == "#REF!"
    assert page.formulas[0, "share"] == "=B1/#REF!"


def test_rows_keep_their_keys_through_sheets_on_sheets(quiet: whence.Workspace) -> None:
    first = quiet.create("prices", [("bolt", 10), ("nut", 4), ("nut", 4)], SCHEMA)
    second = quiet.sheet(first).insert_row(after=0).set(1, "part", "new").sort("price").apply("second")
    third = quiet.sheet(second).insert_row().delete_row(1).apply("third")
    keys = third.row_keys()
    assert len(set(keys)) == len(keys)
    shown = dict(zip(third.to_arrow()["part"].to_pylist(), keys, strict=True))
    assert shown["bolt"] == first.row_keys()[0]
    assert shown["new"] == second.row_keys()[second.to_arrow()["part"].to_pylist().index("new")]


@pytest.mark.parametrize("seed", range(6))
def test_any_edits_over_any_change(quiet: whence.Workspace, seed: int) -> None:
    """Cells set by key hold what was typed wherever their row now is, and only there."""
    chance = random.Random(seed)
    rows = [(f"p{number}", chance.randint(0, 50)) for number in range(12)]
    sheet = quiet.sheet(quiet.create("prices", rows, SCHEMA))
    typed = {}
    for _ in range(8):
        at = chance.randrange(12)
        typed[rows[at]] = chance.randint(100, 200)
        sheet.set(at, "price", typed[rows[at]])
    later = [row for row in rows if chance.random() < 0.7] + [(f"q{number}", number) for number in range(3)]
    chance.shuffle(later)
    quiet.create("prices", later, SCHEMA)
    again = quiet.sheet("prices", sheet.operations)
    shown = again.page().values
    assert shown["part"] == [row[0] for row in later]
    assert shown["price"] == [typed.get(row, row[1]) for row in later]
    gone = [each for each in sheet.operations if each["row"] not in {f"k:{key}" for key in quiet["prices"].row_keys()}]
    assert [each.operation.id for each in again.lost] == [each["id"] for each in gone]


def test_acknowledging_the_data_clears_what_its_doubts_reached(quiet: whence.Workspace) -> None:
    data = quiet.create("prices", [("bolt", 10), ("nut", 4), ("nail", 7)], SCHEMA, cell_caveats=[(1, "price", "faxed")])
    sheet = quiet.sheet(data).insert_column("sum", after="price").set(0, "sum", "=SUM(B:B)").set(2, "sum", "=B2*2")
    sheet.insert_column("bad", after="sum").set(0, "bad", "=1/0").set_where("[@price]<5", "part", "small")
    made = sheet.apply("made")
    marks = {name: made.caveats.marks()[name].to_pylist() for name in made.columns}
    assert marks == {
        "part": [False, True, False],
        "price": [False, True, False],
        "sum": [True, False, True],
        "bad": [True, False, False],
    }
    (group,) = data.caveats.list()
    data.caveats.acknowledge(group, note="asked them")
    left = {name: made.caveats.marks()[name].to_pylist() for name in made.columns}
    assert left == {"part": [False] * 3, "price": [False] * 3, "sum": [False] * 3, "bad": [True, False, False]}
    assert not any(quiet.sheet("made").page().marks["sum"])


def test_a_sheet_cell_edits_the_current_version(quiet: whence.Workspace) -> None:
    quiet.create("prices", [("bolt", 10), ("nut", 4)], SCHEMA)
    kept = quiet.sheet("prices").set(0, "price", 11).insert_row(after=1).operations
    quiet.create("prices", [("nut", 4), ("bolt", 10)], SCHEMA)
    made = quiet.run_cell("sheet", source="prices", operations=json.dumps(kept), name="edited")
    assert made.to_arrow().to_pydict() == {"part": ["nut", None, "bolt"], "price": [4, None, 11]}
    with pytest.raises(whence.WhenceError, match="cannot be read"):
        quiet.run_cell("sheet", source="prices", operations="[1]", name="edited")
    with pytest.raises(whence.WhenceError, match="no sheet operation"):
        quiet.run_cell("sheet", source="prices", operations=[{"kind": "wish"}], name="edited")


def test_what_cannot_be_meant_is_said(quiet: whence.Workspace) -> None:
    sheet = quiet.sheet(quiet.create("prices", [("bolt", 10)], SCHEMA))
    with pytest.raises(whence.WhenceError, match="no column colour"):
        sheet.set(0, "colour", 1)
    with pytest.raises(whence.WhenceError, match="no row 1"):
        sheet.set(1, "price", 1)
    with pytest.raises(whence.WhenceError, match="no column colour"):
        sheet.filter("[@colour] = 1")
    with pytest.raises(whence.WhenceError, match="not a condition"):
        sheet.set_where("[@price] >", "price", 1)
    with pytest.raises(whence.WhenceError, match="cannot hold colours"):
        sheet.insert_column("x", type="colours")
    with pytest.raises(whence.WhenceError, match="cannot hold list"):
        sheet.set(0, "price", [1])
    assert sheet.page().values == {"part": ["bolt"], "price": [10]}


def test_undo_goes_back_further_than_what_is_kept_for_it(
    quiet: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.notebook.sheet.log._ORDERS", 0)
    sheet = quiet.sheet(quiet.create("prices", [("bolt", 10), ("nut", 4), ("nail", 7)], SCHEMA))
    pages = [sheet.page()]
    for number in range(6):
        sheet.set(0, "price", 100 + number) if number % 2 else sheet.insert_row(after=0)
        pages.append(sheet.page())
    for page in reversed(pages[:-1]):
        assert sheet.undo().page() == page
    for page in pages[1:]:
        assert sheet.redo().page() == page
