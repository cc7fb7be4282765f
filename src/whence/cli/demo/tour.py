"""The tour that `whence demo` shows: a notebook over a supplier price list with values that are not in order."""

from __future__ import annotations

from pathlib import Path

from whence.workspace.workspace import Workspace

NAME = "tour"
PRICES = Path(__file__).with_name("prices.csv")

WELCOME = """\
# Where did this number come from?

The price list below has values that are not as they should be. What whence could not read is red, and so is everything
that was computed from it. Click the name of a dataset, then a cell, to see where it came from."""

BY_SUPPLIER = """\
select supplier, count(*) as parts, round(avg(price), 2) as average_price, sum(price * stock) as stock_value
from prices
group by supplier
order by supplier"""

CELLS: tuple[tuple[str, str, str | None], ...] = (
    ("markdown", WELCOME, None),
    ("load", PRICES.name, "prices"),
    ("sql", BY_SUPPLIER, "by_supplier"),
)


def make_tour(workspace: Workspace) -> None:
    """Put the cells in, once, and let them run."""
    tour = workspace.notebook(NAME)
    if not tour.history():
        prices = workspace.receive(PRICES.name)  # in the workspace, so that the folder can be moved
        prices.write(PRICES.read_bytes())
        places = {PRICES.name: prices.finish()}
        for kind, source, name in CELLS:
            tour.append(kind, places.get(source, source), name)
    tour.run().wait()
