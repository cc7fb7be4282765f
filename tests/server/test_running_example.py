"""Supplier prices, Examples 1 to 5 of the paper on Vizier, through the API alone; sheet edits included."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import pytest

import whence
from tests.server.live import live
from whence.client import Client
from whence.wire.notebooks import NotebookView

ALICE = [
    ("A-100", "Northwind", "4"),
    ("A-101", "Northwind", "6"),
    ("B-200", "Acme", "21 USD"),
    ("B-201", "Acme", "$19.00"),
    ("C-300", "Delta", "12"),
    ("C-301", "Delta", "14"),
]
BOB = [
    ("A-100", "Northwind", "5"),
    ("B-200", "Acme", "22 USD"),
    ("B-201", "Acme", "$19.00"),
    ("C-300", "Delta", "12"),
    ("D-400", "Rheinwerk", "21 Euro"),
    ("D-401", "Rheinwerk", "30"),
]
CLEAN = r"""select part, supplier,
    caveat_if(cast(regexp_replace(price, '[^0-9.]+', '') as double),
              price rlike '[^0-9.]', concat(price, ' is taken for US dollars')) as price
from quotes"""
Rows = list[tuple[str, str, str]]


def expected(rows: Rows, euro: float = 1.0, repaired: dict[str, float] | None = None) -> dict[str, tuple[float, bool]]:
    """The mean price of each supplier and whether an assumption went into it, in plain Python."""
    prices, doubtful = defaultdict[str, list[float]](list), set[str]()
    for part, supplier, text in rows:
        price = float(re.sub(r"[^0-9.]+", "", text)) * (euro if text.endswith("Euro") else 1)
        if repaired and part in repaired:
            price = repaired[part]
        elif re.search(r"[^0-9.]", text):
            doubtful.add(supplier)
        prices[supplier].append(price)
    return {supplier: (mean(each), supplier in doubtful) for supplier, each in prices.items()}


def file(rows: Rows) -> bytes:
    return "\n".join(["part,supplier,price", *(",".join(row) for row in rows)]).encode()


class Desk:
    """One notebook, through the client."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.name = client.make_notebook(name="supplier prices").name

    def add(self, kind: str, position: int | None = None, **values: object) -> str:
        made = self.client.add_cell(self.name, kind=kind, values=values, position=position)
        assert made.cell is not None
        return made.cell.id

    def bring(self, rows: Rows) -> str:
        return self.client.upload(file(rows), name="prices.csv").path

    def ready(self) -> NotebookView:
        view = self.client.wait(self.name)
        assert {cell.status for cell in view.cells} == {"ready"}, [cell.error for cell in view.cells]
        return view

    def averages(self, dataset: str = "by_supplier") -> dict[str, tuple[object, bool]]:
        page = self.client.read_page(dataset)
        return {
            str(row[0]): (pytest.approx(row[1]), 1 in marks) for row, marks in zip(page.rows, page.marks, strict=True)
        }

    def positions(self, dataset: str) -> dict[str, int]:
        return {str(row[0]): rid for row, rid in zip(*self._rows(dataset), strict=True)}

    def _rows(self, dataset: str) -> tuple[list[list[object]], list[int]]:
        page = self.client.read_page(dataset)
        return page.rows, page.rids


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Desk]:
    assert spark_home.spark is not None
    folder: Path = tmp_path_factory.mktemp("suppliers")
    with whence.open(folder / "w.whence") as ws, live(ws) as client:
        yield Desk(client)


def test_the_running_example(desk: Desk) -> None:
    client, name = desk.client, desk.name

    # Example 1: Alice explores in steps of their own, and revises one that fails.
    desk.add("markdown", source="# Supplier prices")
    load = desk.add("load", source=desk.bring(ALICE), name="quotes", types={"price": "string"})
    clean = desk.add("sql", source="select part, supplier, cast(prize as double) as price from quotes", name="prices")
    wrong = {cell.id: cell for cell in client.wait(name).cells}[clean]
    assert wrong.status == "error"
    assert wrong.error is not None
    assert "prize" in wrong.error.message

    # Examples 2 and 4: she strips what is no digit, and says on the cells concerned what she assumes.
    client.change_cell(name, clean, values={"source": CLEAN})
    measures = {"mean": "avg(price)"}
    desk.add("group_by", source="prices", columns=["supplier"], values=measures, name="by_supplier")
    view = desk.ready()
    assert desk.averages() == expected(ALICE)
    hers = view.version

    # Example 3: months later Bob takes her steps over, for new data, on a branch of his own.
    client.make_branch(name, name="bob")
    client.check_out(name, branch="bob")
    client.change_cell(name, load, values={"source": desk.bring(BOB)})
    desk.ready()
    assert desk.averages() == expected(BOB)

    # Example 5: what was assumed is listed, behind the whole result and behind one value ...
    (group,) = client.list_caveats("by_supplier").groups
    assert (group.caveats.count, group.caveats.column) == (3, "price")
    said = {place.message for place in group.caveats.references}
    assert said == {f"{price} is taken for US dollars" for price in ("22 USD", "$19.00", "21 Euro")}
    row = desk.positions("by_supplier")["Rheinwerk"]
    report = client.read_cell("by_supplier", row=row, column="mean")
    assert report.suspect
    assert [place.message for each in report.caveats for place in each.references] == [
        "21 Euro is taken for US dollars"
    ]
    source = next(step for step in report.steps if step.dataset == "quotes")
    assert [values[2] for values in source.rows.values] == ["21 Euro", "30"]
    assert source.rows.lines == [6, 7]

    # ... and one of them is wrong: he lets the step know of another currency, and what depends on it runs again.
    desk.add("parameters", position=1, source={"euro": 1.1})
    repaired = CLEAN.replace("as double)", "as double) * if(price like '%Euro', :euro, 1)")
    client.change_cell(name, clean, values={"source": repaired})
    desk.ready()
    assert desk.averages() == expected(BOB, euro=1.1)

    # A price he knows he corrects by hand, in a sheet; the marks of what depends on it are gone where it was the cause.
    sheet = client.make_sheet(dataset="prices").id
    client.do_operation(
        sheet,
        operation="set",
        arguments={"row": desk.positions("prices")["D-400"], "column": "price", "value": 24.5},
        command_id="by hand",
    )
    client.do_operation(sheet, operation="insert_column", arguments={"name": "gross", "after": "price"})
    client.do_operation(sheet, operation="set_column", arguments={"column": "gross", "value": "=[@price]*1.2"})
    page = client.read_sheet_page(sheet)
    at = page.columns.index(next(each for each in page.columns if each.name == "gross"))
    assert {str(row[0]): row[at] for row in page.rows}["D-400"] == pytest.approx(24.5 * 1.2)
    applied = client.apply_sheet(sheet, notebook=name, name="checked")
    assert client.apply_sheet(sheet, notebook=name, name="checked").version == applied.version
    desk.add("group_by", source="checked", columns=["supplier"], values=measures, name="by_checked")
    desk.ready()
    assert desk.averages("by_checked") == expected(BOB, 1.1, {"D-400": 24.5})
    hand = client.read_cell("checked", row=desk.positions("checked")["D-400"], column="gross")
    assert not hand.suspect

    # New data in another order, with a row more: his edit is made again on the row it was about.
    later: Rows = [("E-500", "Sumida", "9"), *reversed(BOB)]
    client.change_cell(name, load, values={"source": desk.bring(later)})
    desk.ready()
    assert desk.averages("by_checked") == expected(later, 1.1, {"D-400": 24.5})

    # Alice's branch is as she left it, and a link shows her version to whoever has it.
    client.check_out(name, branch="main")
    desk.ready()
    assert desk.averages() == expected(ALICE)
    link = client.make_share(name, version=hers).link
    assert link is not None
    viewer = Client.from_link(link)
    assert [cell.kind for cell in viewer.read_notebook(name).cells] == ["markdown", "load", "sql", "group_by"]
    assert viewer.read_page("by_supplier").count == len(expected(ALICE))
