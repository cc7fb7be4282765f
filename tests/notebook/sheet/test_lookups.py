"""XLOOKUP, in the sheet itself and in other datasets: what it finds, where that comes from, and when it is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import whence
from whence.notebook.sheet.formula.aggregates import AGGREGATES, CONDITIONAL
from whence.notebook.sheet.formula.area_functions import AREA_FUNCTIONS
from whence.notebook.sheet.formula.branches import BRANCHES
from whence.notebook.sheet.formula.catalogue import CATALOGUE
from whence.notebook.sheet.formula.registry import FUNCTIONS

ORDERS = "part string, n int"
PRICES = "id string, price double"


def _find_part(prices: Sequence[tuple[object, object]], part: object) -> int | None:
    """Return the first row of the prices with this part, by definition: one row after the other, capitals or not."""
    for row, (id_, _) in enumerate(prices):
        if isinstance(id_, str) and isinstance(part, str) and id_.lower() == part.lower():
            return row
    return None


def _cells(made: whence.workspace.dataset.Dataset, row: int, column: str, dataset: str) -> set[tuple[int, str, str]]:
    found = made.lineage.cell(row, column)
    return {(each.row, each.column, each.role) for each in found if each.dataset == dataset}


def test_lookups_in_another_dataset_find_trace_and_doubt_the_first_row_that_matches(quiet: whence.Workspace) -> None:
    for seed in range(8):
        _check(quiet, Random(seed))


def _check(quiet: whence.Workspace, random: Random) -> None:
    names = ["bolt", "Nut", "nail", "NUT", None, ""]
    prices = [(random.choice(names), random.choice([None, 1.5, 2.0, 7.25])) for _ in range(random.randint(1, 6))]
    orders = [(random.choice([*names, "gear"]), row) for row in range(7)]
    unsure = {(row, column) for row in range(len(prices)) for column in ("id", "price") if random.random() < 0.15}
    quiet.create("prices", prices, PRICES, cell_caveats=[(row, column, "smudged") for row, column in sorted(unsure)])
    sheet = quiet.sheet(quiet.create("orders", orders, ORDERS)).insert_column("price", after="n")
    sheet.set_column("price", "=XLOOKUP([@part],prices[id],prices[price])")
    sheet.insert_column("double", after="price").set_column("double", "=[@price]*2")
    sheet.insert_column("known", after="double").set_column("known", '=XLOOKUP(A1,prices[ID],prices[id],"none")')
    page, made = sheet.page(), sheet.apply("priced")
    marks = made.caveats.marks()
    assert {name: marks[name].to_pylist() for name in made.columns} == page.marks
    first_unsure = min((row for row, column in unsure if column == "id"), default=len(prices))
    for row, (part, _) in enumerate(orders):
        at = _find_part(prices, part)
        failure = page.errors.get((row, "price"))
        assert page.values["price"][row] == (None if at is None else prices[at][1]), (row, prices, orders)
        assert (failure is not None and failure.code == "#N/A") == (at is None and part is not None)
        is_unsure = (first_unsure <= at or (at, "price") in unsure) if at is not None else first_unsure < len(prices)
        expected = failure is not None or (part is not None and is_unsure)
        assert page.marks["price"][row] == expected, (row, prices, orders, unsure)
        assert page.marks["double"][row] == expected
        assert bool(made.caveats.list(row=row, column="price")) == expected
        told = _cells(made, row, "price", "prices")
        assert {each for each in told if each[2] != "filtered"} == (
            {(at, "price", "copied")} if at is not None else set()
        )
        compared = range(0 if part is None else len(prices) if at is None else at + 1)
        assert {each[0] for each in told if each[2] == "filtered"} == set(compared)
        assert {each for each in _cells(made, row, "double", "prices") if each[2] != "filtered"} == (
            {(at, "price", "computed")} if at is not None else set()
        )
        assert made.lineage.backward([row], to="prices").ids.tolist() == ([] if at is None else [at])
        assert made.lineage.backward([row], to="orders").ids.tolist() == [row]


def test_lookups_in_the_sheet_itself(quiet: whence.Workspace) -> None:
    rows = [("bolt", 10), ("nut", 4), ("BOLT", 7), (None, 1)]
    sheet = quiet.sheet(quiet.create("orders", rows, ORDERS)).insert_column("f", after="n")
    for row, formula in enumerate(
        ['=XLOOKUP("Bolt",A:A,B:B)', "=XLOOKUP(7,[n],[part])", '=XLOOKUP("x",A:A,B:B,-1)', "=XLOOKUP(A4,A:A,B:B)"]
    ):
        sheet.set(row, "f", formula)
    page = sheet.page()
    assert page.values["f"] == ["10", "BOLT", "-1", None]
    assert sheet.apply("applied").to_arrow().to_pydict() == page.values
    ids = quiet.create("ids", [(2**53, "a"), (2**53 + 1, "b")], "id bigint, name string")
    long_ids = quiet.sheet(ids).insert_column("f", after="name", value="=XLOOKUP([@id],ids[id],ids[name])")
    assert long_ids.page().values["f"] == ["a", "b"]
    failed = quiet.sheet("orders").insert_column("f", after="n")
    failed.set(0, "f", "=XLOOKUP(1,nowhere[id],nowhere[price])").set(1, "f", "=XLOOKUP(1,orders[no],orders[n])")
    failed.set(2, "f", "=XLOOKUP(1,A:B,A:A)").set(3, "f", "=orders[n]")
    shown = [failed.page().errors[row, "f"] for row in range(4)]
    assert [(each.code, each.why) for each in shown[:2]] == [
        ("#REF!", "There is no dataset nowhere."),
        ("#REF!", "orders has no column no."),
    ]
    assert [each.code for each in shown[2:]] == ["#VALUE!", "#VALUE!"]
    assert failed.page().formulas[0, "f"] == "=XLOOKUP(1,nowhere[id],nowhere[price])"


def test_the_catalogue_names_every_function() -> None:
    assert sorted(each.name for each in CATALOGUE) == sorted(
        [*FUNCTIONS, *BRANCHES, *AREA_FUNCTIONS, *AGGREGATES, *CONDITIONAL]
    )
