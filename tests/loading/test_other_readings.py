"""What misfits and dates in either order could mean, as ranges: against every combination of the meanings."""

import datetime as dt
from decimal import Decimal
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from whence.caveats.exchanged_days import exchange_days
from whence.loading.other_readings import ends, other_readings
from whence.loading.tally import Reading

if TYPE_CHECKING:
    from whence import Workspace

NUMBERS = {
    "1,234": ("1.234", "1234"),
    "1.234": ("1.234", "1234"),
    "-1,234": ("-1234", "-1.234"),
    "12,5": ("12.5",),
    "1,234,567": ("1234567",),
    "1.234.567,8": ("1234567.8",),
    "1,234.5": ("1234.5",),
    "+5": ("5",),
    "1,23,4": (),
    "21 USD": (),
    "2021-03-04": (),
    "": (),
    "-": (),
    "١٢٣": (),
}
DAYS = {
    "03/04/2021": ("2021-03-04", "2021-04-03"),
    "04/04/2021": ("2021-04-04",),
    "25/12/2020": ("2020-12-25",),
    "7.8.2021": ("2021-08-07",),
    "2021/3/4": ("2021-03-04",),
    "31/02/2021": (),
    "1,234": (),
}


def test_meanings_of_numbers_and_dates() -> None:
    number, day = Reading("double", pa.float64(), "a number"), Reading("moment", pa.date32(), "a date")
    assert {text: other_readings(text, number) for text in NUMBERS} == NUMBERS
    assert {text: other_readings(text, day) for text in DAYS} == DAYS


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        (pa.float64(), "1.234", "1234.0"),
        (pa.int64(), "1", "1234"),
        (pa.decimal128(10, 2), "1.23", "1234.00"),
        (pa.decimal128(5, 2), None, None),
        (pa.int8(), None, None),
    ],
)
def test_ends_hold_all_meanings(kind: pa.DataType, low: str | None, high: str | None) -> None:
    assert ends(("1.234", "1234"), kind) == (low, high)
    assert ends((), kind) == (None, None)


def test_days_are_exchanged_as_the_calendar_does() -> None:
    rng = Random(5)
    days = [dt.date(rng.randint(1890, 2090), rng.randint(1, 12), rng.randint(1, 28)) for _ in range(2000)]
    expected = [
        dt.date(day.year, day.day, day.month) if day.day <= 12 and day.day != day.month else None for day in days
    ]
    assert exchange_days(pa.chunked_array([days, [None]])).to_pylist() == [*expected, None]
    times = [dt.datetime(day.year, day.month, day.day, 23, 59, 59, 999) for day in days]
    moved = [None if day is None else dt.datetime(day.year, day.month, day.day, 23, 59, 59, 999) for day in expected]
    assert exchange_days(pa.chunked_array([pa.array(times, pa.timestamp("us"))])).to_pylist() == moved


def test_totals_hold_what_every_reading_of_the_misfits_gives(ws: "Workspace", tmp_path: Path) -> None:
    rng = Random(11)
    rows = [(rng.choice("abc"), rng.choice(["1", "2", "3", "40", "5", "6"])) for _ in range(60)]
    rows += [("a", "1,234"), ("b", "-2,500"), ("b", "12,5"), ("c", "1,234,567"), ("d", "n/a"), ("d", "7")]
    path = tmp_path / "sales.csv"
    path.write_text("k,x\n" + "".join(f'{key},"{text}"\n' for key, text in rows))
    sales = ws.load(path, name="sales")
    number = Reading("whole", pa.int64(), "a number")
    totals = ws.sql("select k, sum(x) s, count(x) n, max(x) m from sales group by k order by k")
    for row, key in enumerate("abc"):
        known = [int(text) for k, text in rows if k == key and text.isdigit()]
        open_cells = [text for k, text in rows if k == key and not text.isdigit()][:8]
        sums, most = ([Decimal(str(end)) for end in totals.caveats.bounds(row, name)] for name in ("s", "m"))
        for world in product(*(((None, *map(Decimal, other_readings(text, number)))) for text in open_cells)):
            values = [*map(Decimal, known), *(value for value in world if value is not None)]
            assert sums[0] <= sum(values) <= sums[2], (key, world)
            assert most[0] <= max(values) <= most[2], (key, world)
    assert totals.caveats.bounds(3, "s").low is None
    assert sales.caveats.bounds(60, "x").may_be_missing


def test_dates_in_either_order_lie_between_both(ws: "Workspace", tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    path.write_text("k,d,t\n" + "".join(f"{n % 2},0{n}/05/2021,0{n}/07/2021 10:00\n" for n in range(1, 10)) + "1,?,\n")
    days = ws.load(path, name="days")
    assert tuple(days.caveats.bounds(0, "d")) == (dt.date(2021, 1, 5), dt.date(2021, 1, 5), dt.date(2021, 5, 1))
    assert tuple(days.caveats.bounds(8, "t"))[::2] == (dt.datetime(2021, 7, 9, 10), dt.datetime(2021, 9, 7, 10))
    assert not days.caveats.marks().column("d")[4].as_py()
    firsts = ws.sql("select min(d) as first from days where k = 0")
    assert tuple(firsts.caveats.bounds(0, "first"))[::2] == (dt.date(2021, 2, 5), dt.date(2021, 5, 2))
    days.caveats.acknowledge(next(each for each in days.caveats.list(column="d") if "other way round" in each.message))
    assert tuple(ws["days"].caveats.bounds(0, "d"))[::2] == (dt.date(2021, 1, 5), dt.date(2021, 1, 5))


def test_a_misfit_says_what_it_may_be(ws: "Workspace", tmp_path: Path) -> None:
    path = tmp_path / "said.csv"
    path.write_text("x\n1\n2\n3\n4\n5\n6\n" + '"1,234"\n' + '"12,5"\n')
    said = ws.load(path, name="said")
    assert said.load_report is not None
    assert said.load_report.problems[0].message == (
        "'1,234' in column x, line 8, is not a number; it is kept as text and the cell is empty. "
        "It may be 1.234 or 1234."
    )
