"""Functions against their slow definitions, for all rows of random small tables."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

import whence
from tests.notebook.sheet.definitions import DEFINITIONS, Line
from whence.notebook.sheet.page import SheetPage
from whence.workspace.sheet import Sheet

COLUMNS = ("t", "n", "x", "d", "e")
SCHEMA = "t string, n int, x double, d date, e date"


def _lines(random: Random, count: int) -> list[Line]:
    """Return rows whose dates crowd around the ends of months, where counting in months is difficult."""

    def day() -> date | None:
        start = date(2023, random.randint(1, 12), 1) + timedelta(
            days=random.randint(-3, 2) + 366 * random.randint(0, 2)
        )
        return None if random.random() < 0.1 else start

    return [
        {
            "t": random.choice(["fig", "Fig", "kiwi", "", None]),
            "n": random.choice([None, -1, 0, 1, 2, 3]),
            "x": random.choice([None, -2.25, -0.05, 0.0, 1.5, 2.345, 7.0, 10.01]),
            "d": day(),
            "e": day(),
        }
        for _ in range(count)
    ]


def _with_columns(sheet: Sheet, formulas: list[str]) -> Sheet:
    last = COLUMNS[-1]
    for number, formula in enumerate(formulas):
        sheet.insert_column(f"f{number}", after=last).set_column(f"f{number}", formula)
        last = f"f{number}"
    return sheet


def _shown(page: SheetPage, column: str) -> list[object]:
    """Return what a column shows: values, and the codes of errors."""
    failed = {row: failure.code for (row, name), failure in page.errors.items() if name == column}
    return [failed.get(row, value) for row, value in enumerate(page.values[column])]


def test_functions_give_what_their_definitions_give(quiet: whence.Workspace) -> None:
    for seed in range(8):
        _check(quiet, _lines(Random(seed), 5 + 6 * seed))


def _check(quiet: whence.Workspace, lines: list[Line]) -> None:
    data = quiet.create("data", [tuple(line.values()) for line in lines], SCHEMA)
    sheet = _with_columns(quiet.sheet(data), list(DEFINITIONS))
    page = sheet.page()
    for number, (formula, define) in enumerate(DEFINITIONS.items()):
        expected = [define(line, lines) for line in lines]
        found = _shown(page, f"f{number}")
        close = [pytest.approx(each) if isinstance(each, float) else each for each in expected]
        assert found == close, formula
    assert sheet.apply("applied").to_arrow().to_pydict() == page.values
    assert quiet.sheet(data, sheet.operations).page() == page


def test_a_function_without_its_arguments_says_so(quiet: whence.Workspace) -> None:
    formulas = ["=SUMIFS([n],[t])", "=IFS(TRUE)", "=SWITCH(1,2)", "=LARGE([x])", "=EDATE([@d])", "=RANK(1,2,3,4)"]
    codes = ['=DATEDIF([@d],[@e],"Q")', '=SUMIFS([n],A1:A1,"a")', '=EDATE("soon",1)', "=LARGE([x],0)", "=IFS(1/0,1)"]
    sheet = _with_columns(quiet.sheet(quiet.create("data", _rows(), SCHEMA)), formulas + codes)
    page = sheet.page()
    whys = [page.errors[0, f"f{number}"] for number in range(len(formulas + codes))]
    assert {(each.code, each.why.split(" does not take ")[-1][1:]) for each in whys[:6]} == {("#VALUE!", " arguments.")}
    assert [each.code for each in whys[6:]] == ["#NUM!", "#VALUE!", "#VALUE!", "#NUM!", "#DIV/0!"]


def _rows() -> list[tuple[object, ...]]:
    return [("fig", 1, 1.5, date(2024, 1, 31), date(2024, 3, 1)), ("kiwi", 2, None, None, date(2024, 3, 1))]


def test_ranks_and_sums_in_every_row_of_a_long_column(quiet: whence.Workspace) -> None:
    """Two thousand rows are computed as whole columns when the sheet is applied, and one by one on a page."""
    rows = [(f"t{n % 7}", n * 7919 % 2_003, float(n % 11), None, None) for n in range(2_100)]
    formulas = ["=RANK([@n],[n])", "=SUMIFS([n],[t],[@t])", "=LARGE([x],2)", "=UPPER([t])"]
    sheet = _with_columns(quiet.sheet(quiet.create("long", rows, SCHEMA)), formulas)
    kept = sheet.apply("applied").to_arrow()
    page = sheet.page(1_000, 1_040)
    assert {name: kept[name].to_pylist()[1_000:1_040] for name in ("f0", "f1", "f2")} == {
        name: page.values[name] for name in ("f0", "f1", "f2")
    }
    numbers = [row[1] for row in rows]
    assert page.values["f0"] == [1 + sum(other > numbers[at] for other in numbers) for at in range(1_000, 1_040)]
    assert {failure.code for failure in page.errors.values()} == {"#VALUE!"}
