"""Cells are identical if they say the same and read the same in the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whence

PRICES = "part,price\nA,1.5\nB,21 USD\nC,n/a\nD,1.5\nE,n/a\nF,3\nG,4\nH,5\nI,6\nJ,7\nK,8\nL,9\nM,?\n"


@pytest.fixture
def prices(tmp_path: Path) -> Iterator[whence.Workspace]:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(tmp_path / "w.whence") as workspace:
        workspace.load(tmp_path / "prices.csv", name="prices")
        yield workspace


@pytest.mark.parametrize(
    ("row", "found"),
    [
        pytest.param(0, [0, 3], id="values"),
        pytest.param(1, [1], id="a misfit alone"),
        pytest.param(2, [2, 4], id="a misfit that stands twice"),
    ],
)
def test_only_cells_that_read_the_same_are_changed(prices: whence.Workspace, row: int, found: list[int]) -> None:
    sheet = prices.sheet("prices").set(row, "price", 100)
    assert sheet.identical(row, "price") == len(found) - 1
    shown = sheet.apply_to_identical(row, "price").page().values["price"]
    assert [at for at, value in enumerate(shown) if value == 100] == found


def test_the_text_is_known_through_copies_of_the_data(prices: whence.Workspace) -> None:
    edited = prices.sheet("prices").set(0, "price", 2).sort(("part", "desc")).apply("edited")
    sheet = prices.sheet(edited).set(10, "price", 100)
    assert prices["edited"].rows(10, 11).to_pylist() == [{"part": "C", "price": None}]
    shown = sheet.apply_to_identical(10, "price").page().values
    parts = [part for part, value in zip(shown["part"], shown["price"], strict=True) if value == 100]
    assert parts == ["E", "C"]
