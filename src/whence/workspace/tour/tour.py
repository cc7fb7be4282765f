"""The tour that `whence demo` and the start page offer: a notebook over three files with bad values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whence.workspace.notebook import Notebook
    from whence.workspace.served import ServedWorkspace

NAME = "tour"
FOLDER = Path(__file__).parent
FILES = ("prices.csv", "causes_of_death.csv", "readings.csv")

WELCOME = """\
# Where did this number come from?

The price list below has values that are not as they should be. What whence could not read is **red**, and so is
everything that was computed from it. Click any value, or any bar, and see on the right which rows it came from and what
is doubtful about them."""

BY_SUPPLIER = """\
select supplier, count(*) as parts, round(avg(price), 2) as average_price, sum(price * stock) as stock_value
from prices
group by supplier
order by supplier"""

DEATHS = """\
# Real data, really messy

Leading causes of death in New York City, as the city published them. Some numbers are missing and written as a dot, so
many totals are not certain: red values and ringed points say which. And in 2015 `F` and `M` became `Female` and `Male`:
write `Sex` in place of `left(Sex, 1)`, run the cell, and the lines below break in two. Every edit is kept on the right;
go back, or branch from it."""

BY_YEAR = """\
select Year as year, left(Sex, 1) as sex, sum(Deaths) as deaths
from causes_of_death
group by all
order by year, sex"""

READINGS = """\
# Why does it look odd?

Six sensors measure the temperature of a house, four times an hour. From 13 to 15 o'clock the average is far too high.
Press **Why does it look odd?** below the chart, click the three high bars and search: the answer names the rows behind
it, and the chart shows what it would be without them."""

CELLS: tuple[tuple[str, str, str | None, dict[str, str]], ...] = (
    ("markdown", WELCOME, None, {}),
    ("load", "prices.csv", "prices", {}),
    ("sql", BY_SUPPLIER, "by_supplier", {}),
    (
        "chart",
        "prices",
        "prices_by_supplier",
        {"chart": "bar", "x": "supplier", "y": "avg(price)", "title": "Average price by supplier"},
    ),
    ("markdown", DEATHS, None, {}),
    ("load", "causes_of_death.csv", "causes_of_death", {}),
    ("sql", BY_YEAR, "deaths_by_year", {}),
    (
        "chart",
        "deaths_by_year",
        "deaths_chart",
        {"chart": "line", "x": "year", "y": "deaths", "series": "sex", "title": "Deaths in New York City"},
    ),
    ("markdown", READINGS, None, {}),
    ("load", "readings.csv", "readings", {}),
    (
        "chart",
        "readings",
        "temperature_by_hour",
        {"chart": "bar", "x": "hour", "y": "avg(temperature)", "title": "Average temperature by hour"},
    ),
)
"""Each cell: its kind, its source, its name, and its other parameters."""


def add_tour(workspace: ServedWorkspace) -> Notebook:
    """Return the notebook of the tour, and add its cells if it was never edited."""
    tour = workspace.notebook(NAME)
    if not tour.history():  # not `cells`: a tour whose cells the user has deleted stays empty
        places = {name: _received(workspace, name) for name in FILES}
        for kind, source, name, others in CELLS:
            given: dict[str, Any] = others
            tour.append(kind, places.get(source, source), name, **given)
    return tour


def has_tour(workspace: ServedWorkspace) -> bool:
    """Return whether the tour exists and all its cells are ready."""
    if NAME not in workspace.notebooks():
        return False
    cells = workspace.notebook(NAME).cells
    return bool(cells) and all(cell.status == "ready" for cell in cells)


def make_tour(workspace: ServedWorkspace) -> None:
    """Add the cells of the tour if they are missing, run them, and wait until they have run."""
    add_tour(workspace).run().wait()


def _received(workspace: ServedWorkspace, name: str) -> str:
    """Copy a file of the tour into the workspace and return its path there, so that the folder can be moved."""
    upload = workspace.receive(name)
    upload.write((FOLDER / name).read_bytes())
    return upload.finish()
