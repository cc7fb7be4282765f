"""A small price list and a result over it, as the stand-in workspace holds them."""

from __future__ import annotations

import pyarrow as pa

from tests.server.standin import StandInDataset, StandInWorkspace
from whence.model.caveat import CaveatGroup, CaveatRef
from whence.model.cellref import CellRef
from whence.model.dataset import Doubt

SQL = "select supplier, count(*) as items, round(avg(price), 2) as average_price\nfrom prices\ngroup by supplier"

ROWS = [
    ("P-001", "Hex bolt M8", "Nordwind", 0.42, 1200),
    ("P-002", "Hex bolt M10", "Nordwind", 0.58, 900),
    ("P-003", "Washer 8 mm", "Alba", 0.05, 15000),
    ("P-004", "Wing nut M6", "Alba", None, 300),
    ("P-005", "Threaded rod 1 m", "Kestrel", 3.9, 120),
    ("P-006", "Spring washer", "Kestrel", 0.08, None),
    ("P-007", "Anchor bolt", "Nordwind", 1.15, 640),
    ("P-008", "Eye bolt <b>M12</b>", "Alba", 2.35, 80),
]


def price_list() -> StandInWorkspace:
    """`prices` with one misfit in price and one in stock, `by_supplier` over it."""
    prices = _prices()
    return StandInWorkspace([prices, _by_supplier(prices)])


def _prices() -> StandInDataset:
    names = ["part", "description", "supplier", "price", "stock"]
    columns = [list(column) for column in zip(*ROWS, strict=True)]
    prices = StandInDataset(
        "prices",
        pa.table(dict(zip(names, columns, strict=True))),
        ["string", "string", "string", "double", "bigint"],
        text="prices.csv",
        doubt=Doubt(columns=frozenset({"price", "stock"})),
        first_line=2,
    )
    prices.caveats.cells |= {(3, 3), (5, 4)}
    prices.caveats.groups[3, "price"] = [_misfit(3, "price", "call us")]
    prices.caveats.groups[5, "stock"] = [_misfit(5, "stock", "~400")]
    return prices


def _misfit(row: int, column: str, text: str) -> CaveatGroup:
    message = f"'{text}' does not fit the type of {column}, so the cell is empty"
    place = CaveatRef("prices", 1, row, column, row + 2, text, message)
    return CaveatGroup(message, 1, "load", "prices", column, (place,))


def _by_supplier(prices: StandInDataset) -> StandInDataset:
    groups = {"Alba": [2, 3, 7], "Kestrel": [4, 5], "Nordwind": [0, 1, 6]}
    result = StandInDataset(
        "by_supplier",
        pa.table({"supplier": list(groups), "items": [3, 2, 3], "average_price": [1.2, 1.99, 0.72]}),
        ["string", "bigint", "double"],
        origin="sql",
        text=SQL,
        doubt=Doubt(columns=frozenset({"average_price"})),
        made_from=[prices],
    )
    result.lineage.edges["prices@1"] = dict(enumerate(groups.values()))
    result.caveats.cells.add((0, 2))
    result.caveats.groups[0, "average_price"] = [_misfit(3, "price", "call us")]
    for out, rids in enumerate(groups.values()):
        keys = [CellRef("prices", 1, rid, "supplier", "grouped", ROWS[rid][2]) for rid in rids]
        values = [CellRef("prices", 1, rid, "price", "aggregated", ROWS[rid][3]) for rid in rids]
        result.lineage.cells[out, "supplier", "prices@1"] = keys
        result.lineage.cells[out, "average_price", "prices@1"] = values + keys
        result.lineage.cells[out, "items", "prices@1"] = keys
    return result
