"""Sums, means and products of decimals in doubt, against every world computed in plain Python: the ends are exact."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

SCHEMA = "id int, g int, x decimal(15,2), low decimal(15,2), high decimal(15,2)"
GROUPS = 25


@dataclass(frozen=True)
class DoubtfulCell:
    """A value and, where it is in doubt, its range."""

    value: Decimal | None
    ends: tuple[Decimal, Decimal] | None = None

    @property
    def worlds(self) -> tuple[Decimal | None, ...]:
        return (self.value,) if self.ends is None else self.ends


def random_cell(rng: Random) -> DoubtfulCell:
    def money() -> Decimal:
        return Decimal(rng.randint(-2000, 2000)) / 100

    if rng.random() < 0.15:
        return DoubtfulCell(None)
    if rng.random() < 0.5:
        return DoubtfulCell(money())
    value, *others = money(), money(), money()
    return DoubtfulCell(value, (min(value, *others), max(value, *others)))


def random_groups(seed: int) -> list[list[DoubtfulCell]]:
    rng = Random(seed)
    return [[random_cell(rng) for _ in range(rng.randint(1, 8))] for _ in range(GROUPS)]


def payments(ws: "Workspace", groups: list[list[DoubtfulCell]]) -> "Dataset":
    rows = [(0, g, cell.value, *(cell.ends or (None, None))) for g, cells in enumerate(groups) for cell in cells]
    ws.create("given", [(number, *row[1:]) for number, row in enumerate(rows)], schema=SCHEMA)
    return ws.sql("select g, caveat_if(x, low is not null, 'why', low, high) as x from given", name="payments")


def worlds(cells: list[DoubtfulCell]) -> Iterator[list[Decimal]]:
    """What the cells that are not NULL hold: each end stands for all between, because sums rise with each value."""
    for values in product(*(cell.worlds for cell in cells)):
        yield [value for value in values if value is not None]


def mean(values: list[Decimal]) -> Decimal:
    return (sum(values, Decimal(0)) / len(values)).quantize(Decimal("0.000001"), ROUND_HALF_UP)


def total(values: list[Decimal]) -> Decimal:
    return sum(values, Decimal(0))


def hull(cells: list[DoubtfulCell], compute: Callable[[list[Decimal]], Decimal]) -> tuple[Decimal, Decimal] | None:
    found = {compute(values) for values in worlds(cells) if values}
    return (min(found), max(found)) if len(found) > 1 else None


@pytest.mark.parametrize("seed", range(2))
def test_sums_and_means_of_decimals_have_the_narrowest_bounds(ws: "Workspace", seed: int) -> None:
    groups = random_groups(seed)
    payments(ws, groups)
    made = ws.sql("select g, sum(x) as total, avg(x) as mean from payments group by g order by g", name="made")
    alone = ws.sql("select g, avg(x) as mean from payments group by g order by g", name="alone")
    compared = 0
    for number, cells in enumerate(groups):
        for dataset, column, compute in ((made, "total", total), (made, "mean", mean), (alone, "mean", mean)):
            expected = hull(cells, compute)
            bounds = dataset.caveats.bounds(number, column)
            if expected is not None:
                assert (bounds.low, bounds.high) == expected, (seed, number, column, cells)
                assert not bounds.may_be_missing
                compared += 1
    assert compared > 40


def test_no_product_of_decimals_leaves_its_bounds(ws: "Workspace") -> None:
    groups = random_groups(7)
    payments(ws, groups)
    made = ws.sql(
        "select g, sum(x * (1 - x)) as made, "
        " sum(x * 3) as tripled, sum(x * (1 - x) * (x + 1)) as long from payments group by g order by g",
        name="made",
    )
    compared = 0
    for number, cells in enumerate(groups):
        found = hull(cells, lambda values: total([value * (1 - value) for value in values]))
        bounds = made.caveats.bounds(number, "made")
        if found is not None:
            assert isinstance(bounds.low, Decimal), bounds.why
            assert isinstance(bounds.high, Decimal), bounds.why
            assert bounds.low <= found[0] <= found[1] <= bounds.high
            compared += 1
            long = made.caveats.bounds(number, "long")
            assert isinstance(long.low, Decimal), long.why
            assert isinstance(long.high, Decimal), long.why
            least, most = hull(cells, lambda values: total([x * (1 - x) * (x + 1) for x in values])) or (0, 0)
            assert long.low <= least <= most <= long.high
        tripled = hull(cells, lambda values: 3 * total(values))
        exact = made.caveats.bounds(number, "tripled")
        assert tripled is None or (exact.low, exact.high) == tripled
    assert compared > 10


def test_ends_of_another_decimal_type_are_those_of_the_column(ws: "Workspace") -> None:
    ws.create("prices", [(Decimal("1.50"),), (Decimal("2.25"),)], schema="x decimal(10,2)")
    ws.sql("select caveat(x, 'why', 0.125, 3) as x from prices", name="stated")
    made = ws.sql("select sum(x) as total, max(x) as most from stated", name="made")
    (total_of, most) = (made.caveats.bounds(0, column) for column in ("total", "most"))
    assert (total_of.low, total_of.high) == (Decimal("0.26"), Decimal("6.00"))
    assert (most.low, most.high) == (Decimal("0.13"), Decimal("3.00"))
