"""Exported files, read by other programs and by our own loader."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import whence
from whence.model.errors import UserError
from whence.notebook.export.export import export_dataset

TABLE = pa.table(
    {
        "text": ["plain", "", None, "=1+1", '"quoted", too', "two\nlines", "-5", "@x", "ä"],
        "whole": pa.array([1, -2, None, 4, 5, 6, 7, 8, 9], pa.int64()),
        "real": [1.5, float("inf"), None, 1e300, -0.0, 2.0, 3.0, 4.0, 5.0],
        "exact": pa.array([Decimal("1.10"), None, *[Decimal("2.00")] * 7], pa.decimal128(8, 2)),
        "day": pa.array([date(2024, 2, 29), None, *[date(1999, 1, 1)] * 7]),
        "moment": pa.array([datetime(2024, 1, 2, 3, 4, 5), None, *[datetime(2000, 1, 1)] * 7], pa.timestamp("us")),
        "yes": [True, False, None, True, True, True, True, True, True],
    }
)


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[whence.Workspace]:
    """A workspace that never starts Spark."""
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("t", TABLE)
        yield ws


def export(ws: whence.Workspace, path: Path, format: str | None = None) -> Path:
    export_dataset(ws._context.store, ws["t"].record, path, format)
    return path


def test_csv_is_exact(plain: whence.Workspace, tmp_path: Path) -> None:
    text = export(plain, tmp_path / "t.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines(keepends=True)))
    assert rows[0] == TABLE.column_names
    assert [row[0] for row in rows[1:]] == [value or "" for value in TABLE["text"].to_pylist()]
    assert [row[3] for row in rows[1:3]] == ["1.10", ""]
    again = plain.load(tmp_path / "t.csv", name="again")
    assert again.to_arrow()["text"].to_pylist() == TABLE["text"].to_pylist(), "an empty text is not a missing one"


def test_csv_for_spreadsheets_holds_no_formula(plain: whence.Workspace, tmp_path: Path) -> None:
    text = export(plain, tmp_path / "t.csv", "csv for spreadsheets").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines(keepends=True)))[1:]
    assert [row[0] for row in rows if row[0].startswith("'")] == ["'=1+1", "'-5", "'@x"]
    assert rows[1][1] == "-2", "a number is no formula"


def test_json_parquet_sqlite_and_excel_hold_every_value(plain: whence.Workspace, tmp_path: Path) -> None:
    expected = TABLE.to_pylist()
    objects = [json.loads(line) for line in export(plain, tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    assert [each["text"] for each in objects] == [each["text"] for each in expected]
    assert objects[0]["exact"] == "1.10"
    assert pq.read_table(export(plain, tmp_path / "t.parquet")).to_pylist() == expected
    database = sqlite3.connect(export(plain, tmp_path / "t.sqlite"))
    assert database.execute("select text, whole from data").fetchall() == [(e["text"], e["whole"]) for e in expected]
    database.close()
    sheet = openpyxl.load_workbook(export(plain, tmp_path / "t.xlsx"))["data"]
    found = list(sheet.iter_rows(values_only=True))
    assert [row[1] for row in found[1:]] == [each["whole"] for each in expected]
    assert (sheet["A5"].value, sheet["A5"].data_type) == ("=1+1", "s"), "a text stays a text"


def test_a_failed_export_leaves_the_old_file(plain: whence.Workspace, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("old")
    with pytest.raises(UserError, match=r"t\.txt does not say in which format to write\. Formats: csv, csv for"):
        export(plain, tmp_path / "t.txt")
    with pytest.raises(UserError, match="There is no folder"):
        export(plain, tmp_path / "nowhere" / "t.csv")
    assert (tmp_path / "t.txt").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []
