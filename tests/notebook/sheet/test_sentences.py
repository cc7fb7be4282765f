"""What a sheet says it did names the rows as the sheet numbers them."""

from __future__ import annotations

from pathlib import Path

import whence


def test_rows_that_come_and_go_are_named_by_their_numbers(tmp_path: Path) -> None:
    with whence.open(tmp_path / "ws") as ws:
        ws.create("list", [(n,) for n in range(5)], schema="n int")
        sheet = ws.sheet("list")
        spoken = [
            sheet.delete_row(2).sentence,
            sheet.delete_row(0, 1).sentence,
            sheet.insert_row(0).sentence,
            sheet.insert_row(None, 3).sentence,
        ]
        assert spoken == [
            "Deleted row 3.",
            "Deleted 2 rows.",
            "Inserted a row below row 1.",
            "Inserted 3 rows above the first row.",
        ]
