"""Suggested charts for files as people have them: ids measure nothing, days make lines, and names are few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import whence

Columns = dict[str, Callable[[int], object]]
COUNT = 200

TABLES: dict[str, tuple[Columns, Sequence[str]]] = {
    "a day and a measure": (
        {
            "OrderId": lambda n: 7000 + n,
            "day": lambda n: f"2024-0{1 + n // 40}-{10 + n % 17}",
            "price": lambda n: n * 1.5,
        },
        ["line day price", "histogram price"],
    ),
    "a day alone": ({"day": lambda n: f"2024-01-{10 + n % 17}"}, ["line day"]),
    "a year as a number": (
        {"Year": lambda n: 1990 + n % 20, "deaths": lambda n: n * 7 % 90, "sex": lambda n: "FM"[n % 2]},
        ["line Year deaths", "box sex deaths", "histogram deaths"],
    ),
    "numbers that are names": (
        {
            "Precinct": lambda n: n % 70,
            "X_COORD_CD": lambda n: 900 + n * 13 % 97,
            "file_num": lambda n: n * 3 % 101,
            "City Council Districts": lambda n: n % 50,
            "boro": lambda n: ["Bronx", "Queens", "Brooklyn"][n % 3],
        },
        ["bar boro"],
    ),
    "whole numbers of which none repeats": ({"case": lambda n: n * 17, "kind": lambda n: "abc"[n % 3]}, ["bar kind"]),
    "a name for each row": ({"carrier": lambda n: f"carrier {n}"}, []),
    "thirty long names": (
        {"cause": lambda n: f"a rather long cause {n % 30}", "age": lambda n: n * 3 % 80},
        ["histogram age", "bar cause"],
    ),
    "ratings beside money": (
        {"rating": lambda n: n % 5, "cost": lambda n: n * 3.25, "shop": lambda n: "abcd"[n % 4]},
        ["box shop cost", "histogram cost", "bar shop"],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_charts_fit_the_columns(name: str, tmp_path: Path) -> None:
    columns, expected = TABLES[name]
    lines = [",".join(columns), *(",".join(str(make(n)) for make in columns.values()) for n in range(COUNT))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    with whence.open(tmp_path / "w.whence") as ws:
        suggested = ws.load(tmp_path / "t.csv", name="t").suggest_charts()
    found = [f"{each.spec['geom']} {' '.join(dict(each.spec['aes']).values())}" for each in suggested]  # type: ignore[call-overload]
    assert found == list(expected)


def test_many_names_lie_beside_their_bars_with_the_most_frequent_first(tmp_path: Path) -> None:
    rows = [f"a rather long cause {n % 30}" for n in range(COUNT)]
    (tmp_path / "t.csv").write_text("\n".join(["cause", *rows]) + "\n")
    with whence.open(tmp_path / "w.whence") as ws:
        (only,) = ws.load(tmp_path / "t.csv", name="t").suggest_charts()
    assert only.spec == {"aes": {"y": "cause"}, "geom": "bar", "scale": {"y": {"order_by": "-x"}}}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Bronx", "Queens", "Brooklyn"], {"x": "boro", "y": "n"}),
        (["Staten Island or so", "Queens and more"], {"y": "boro", "x": "n"}),
    ],
)
def test_a_summary_is_drawn_as_a_bar_for_each_group(names: list[str], expected: dict[str, str], tmp_path: Path) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        rows = [(name, 40 + number) for number, name in enumerate(names)]
        first = ws.create("summary", rows, schema="boro string, n bigint").suggest_charts()[0]
    assert (first.spec, first.why) == ({"aes": expected, "stat": "identity", "geom": "bar"}, "n for each boro.")
