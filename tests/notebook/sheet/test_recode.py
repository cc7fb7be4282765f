"""Recoding: all pairs at once, each cell by what it held before."""

from __future__ import annotations

import pytest

import whence
from tests.notebook.sheet.scripts import Script
from tests.notebook.sheet.test_sheet_model import run
from whence.workspace.sheet import Sheet


class SwappingScript(Script):
    """Recodes often, with values that stand on both sides of the pairs."""

    kinds = [*Script.kinds, *["recode"] * 8]
    pairs = {"fig": "kiwi", "kiwi": "fig", "date": "lime", "n/a": "date"}


SWAP = {"a": "b", "b": "a"}
ROWS = [("a", 1), ("b", 2), ("c", 3), ("a", 4), (None, 5)]


@pytest.fixture
def letters(quiet: whence.Workspace) -> Sheet:
    """The letters of rows 1 and 2 are smudged."""
    smudged = [(1, "t", "smudged"), (2, "t", "smudged")]
    return quiet.sheet(quiet.create("data", ROWS, "t string, n int", cell_caveats=smudged))


def roles(made: whence.Dataset, row: int) -> set[tuple[int | None, str, str]]:
    return {(each.row, each.column, each.role) for each in made.lineage.cell(row, "t")}


def test_two_values_of_the_data_are_swapped(letters: Sheet) -> None:
    page = letters.recode("t", SWAP).page()
    assert page.values["t"] == ["b", "a", "c", "b", None]
    assert page.edited["t"] == [True, True, False, True, False]
    assert letters.undo().page().values["t"] == [t for t, _ in ROWS]
    assert letters.redo().page() == page


def test_a_swap_is_kept_with_the_lineage_and_doubts_of_the_cells_it_looked_at(letters: Sheet) -> None:
    page, made = letters.recode("t", SWAP).page(), letters.apply("swapped")
    assert made.to_arrow()["t"].to_pylist() == page.values["t"]
    # Row 2 holds neither value, but its cell is in doubt: it might have held one.
    assert page.marks["t"] == [False, True, True, False, False]
    flags = made.caveats.marks()["t"].to_pylist()
    assert flags == page.marks["t"]
    assert roles(made, 0) == {(0, "t", "filtered")}
    assert roles(made, 1) == {(1, "t", "filtered")}
    assert roles(made, 2) == {(2, "t", "copied")}


def test_entered_and_copied_cells_are_swapped_too(letters: Sheet) -> None:
    letters.set(2, "t", "b").fill(1, "t", [4]).set(3, "t", '=UPPER("a")').recode("t", SWAP)
    assert letters.page().values["t"] == ["b", "a", "a", "A", "a"]
    assert letters.page().marks["t"] == [False, True, False, False, True]


def test_a_chain_moves_each_value_one_step(letters: Sheet) -> None:
    for chain in ({"a": "b", "b": "c", "c": "a"}, {"c": "a", "b": "c", "a": "b"}):
        assert letters.recode("t", chain).page().values["t"] == ["b", "c", "a", "b", None]
        letters.undo()


def test_the_first_of_two_pairs_for_one_number_counts(letters: Sheet) -> None:
    page = letters.recode("n", {"1": "2", "1.0": "9", "2": "1"}).page()
    assert page.values["n"] == [2, 1, 3, 4, 5]


def test_saved_operations_swap_again(letters: Sheet, quiet: whence.Workspace) -> None:
    page = letters.recode("t", SWAP).page()
    assert quiet.sheet("data", letters.operations).page() == page


@pytest.mark.parametrize("seed", range(5))
def test_scripts_that_swap_do_what_a_spreadsheet_does(quiet: whence.Workspace, seed: int) -> None:
    run(seed, quiet, 14, SwappingScript)
