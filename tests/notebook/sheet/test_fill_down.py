"""Filling down: what it shows, doubts and traces, over few rows as a spreadsheet says and over very many."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa
import pytest

import whence
from tests.notebook.sheet.filling import FillingScript
from tests.notebook.sheet.test_sheet_model import run
from whence.model.errors import UserError


def test_one_operation_fills_a_long_column_and_is_taken_back(quiet: whence.Workspace) -> None:
    rows = 100_000
    quiet.create("long", pa.table({"a": np.arange(rows), "b": np.zeros(rows, dtype=np.int64)}))
    sheet = quiet.sheet("long").set(0, "b", "=A1*2").fill_down(0, "b")
    assert sheet.operations_count == 2
    assert sheet.sentence == "Filled b from row 1 down to the last row."
    assert len(str(sheet.operations)) < 2_000
    assert sheet.page(rows - 2, rows).values["b"] == [2 * rows - 4, 2 * rows - 2]
    made = sheet.apply("filled")
    assert made.to_arrow()["b"].to_pylist() == list(range(0, 2 * rows, 2))
    assert [(ref.row, ref.column) for ref in made.lineage.cell(rows - 1, "b")] == [(rows - 1, "a")]
    assert sheet.undo().page(rows - 2, rows).values["b"] == [0, 0]


def test_only_rows_between_that_meet_the_condition_are_filled(quiet: whence.Workspace) -> None:
    quiet.create("list", [(n, "x") for n in range(6)], schema="n int, t string")
    sheet = quiet.sheet("list").set(1, "t", "y").fill_down(1, "t", 4, "[@n] <> 3")
    assert sheet.page().values["t"] == ["x", "y", "y", "x", "y", "x"]
    assert sheet.sentence == "Filled t from row 2 down to row 5 where a condition holds."


def test_there_must_be_a_row_below(quiet: whence.Workspace) -> None:
    quiet.create("list", [(1,), (2,)], schema="n int")
    with pytest.raises(UserError, match="there is no row below to fill"):
        quiet.sheet("list").fill_down(1, "n")


def test_rows_that_new_data_brings_are_filled_too(quiet: whence.Workspace) -> None:
    quiet.create("list", [("a", 1), ("b", 2)], schema="k string, n int")
    kept = quiet.sheet("list").set(0, "n", 9).fill_down(0, "n").operations
    longer = quiet.create("list", [("a", 1), ("b", 2), ("c", 3)], schema="k string, n int")
    assert quiet.sheet(longer, kept).page().values["n"] == [9, 9, 9]


@pytest.mark.parametrize("start", range(0, 16, 8))
def test_filling_does_what_a_spreadsheet_does(quiet: whence.Workspace, start: int) -> None:
    for seed in range(start, start + 8):
        run(seed, quiet, 14, FillingScript)


@pytest.mark.long
@pytest.mark.parametrize("start", range(5000, 6000, 50))
def test_filling_does_what_a_spreadsheet_does_in_many_scripts(quiet: whence.Workspace, start: int) -> None:
    for seed in range(start, start + 50):
        run(seed, quiet, 30, FillingScript)


@pytest.mark.long
def test_ten_million_rows_are_filled_within_seconds(quiet: whence.Workspace) -> None:
    rows = 10_000_000
    quiet.create("long", pa.table({"a": np.arange(rows), "b": np.zeros(rows, dtype=np.int64)}))
    sheet = quiet.sheet("long").set(0, "b", "=A1*2")
    began = time.perf_counter()
    assert sheet.fill_down(0, "b").page(rows - 1, rows).values["b"] == [2 * rows - 2]
    assert time.perf_counter() - began < 30
    made = sheet.apply("filled")
    assert made.rows(rows - 1, rows).to_pylist() == [{"a": rows - 1, "b": 2 * rows - 2}]
