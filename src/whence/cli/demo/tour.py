"""The tour that `whence demo` shows: cells over a supplier price list with values that are not as they should be."""

from __future__ import annotations

from pathlib import Path

from whence.workspace.workspace import Workspace

PRICES = Path(__file__).with_name("prices.csv")

BY_SUPPLIER = """\
select supplier, count(*) as parts, round(avg(price), 2) as average_price, sum(price * stock) as stock_value
from prices
group by supplier
order by supplier"""

CELLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("load", {"source": str(PRICES), "name": "prices"}),
    ("sql", {"source": BY_SUPPLIER, "name": "by_supplier"}),
)


def make_tour(workspace: Workspace) -> None:
    """Run the cells whose datasets are not there yet."""
    there = {dataset.name for dataset in workspace.datasets()}
    for kind, parameters in CELLS:
        if parameters["name"] not in there:
            workspace.run_cell(kind, **parameters)
