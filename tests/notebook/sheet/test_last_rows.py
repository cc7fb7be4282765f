"""Rows at the end of a sheet that come and go: the rest stays in the order of the data, and is not all of it."""

from __future__ import annotations

from pathlib import Path

import whence


def test_rows_deleted_at_the_end_are_gone_from_what_is_applied(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("parts", [("bolt", 1), ("nut", 2), ("wire", 3)], schema="part string, price int")
        sheet = ws.sheet("parts").delete_row(2).insert_column("sum", after="price").set(0, "sum", "=SUM(B:B)")
        assert sheet.page().values == {"part": ["bolt", "nut"], "price": [1, 2], "sum": [3, None]}
        assert sheet.apply("shorter").to_arrow().to_pydict() == sheet.page().values


def test_rows_added_at_the_end_are_there(tmp_path: Path) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("parts", [("bolt", 1), ("nut", 2)], schema="part string, price int")
        sheet = ws.sheet("parts").insert_row(after=1).set(2, "price", 5).sort(("price", "desc"))
        assert sheet.apply("longer").to_arrow().to_pydict() == {"part": [None, "nut", "bolt"], "price": [5, 2, 1]}
        longer = ws.sheet("parts").insert_row(after=1).apply("longer")
        assert longer.to_arrow().to_pydict() == {"part": ["bolt", "nut", None], "price": [1, 2, None]}
        again = ws.sheet("parts").insert_row(after=1).delete_row(2).delete_row(1)
        assert again.apply("shorter").to_arrow().to_pydict() == {"part": ["bolt"], "price": [1]}
