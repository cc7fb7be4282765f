"""Every chart of the gallery is run, drawn and held against DuckDB or plain Python: marks and the rows behind them."""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from scipy import stats as distributions

import whence
from tests.charts.gallery import FIGURE_6_2, GALLERY, SCHEMA, rows
from whence.charts.save import save_vega

Row = tuple[Any, ...]  # columns are taken by number
ROWS: Sequence[Row] = rows()
NAMES = SCHEMA.replace(",", "").split()[::2]
G, H, X, Y, DAY, AMOUNT, N, COUNTRY, LONGITUDE, LATITUDE = range(10)
Record = dict[str, object]
SHORT = [
    "figure_6_2", "bar_stacked", "bar_dodged", "bar_horizontal", "histogram", "histogram_round", "rect", "heat_map",
    "box", "violin", "density", "ecdf", "cumulative", "smooth", "errorbar", "window", "m4", "sample",
    "text", "facet_grid", "hexagons", "heat_map_totals", "names_totals", "waterfall", "map_countries",
    "map_points", "level", "folded", "second_axis", "contours", "contours_of_values", "radar", "radial_area",
]  # fmt: skip


def duck(sql: str) -> list[Record]:
    with duckdb.connect() as connection:
        connection.register("t", pd.DataFrame(ROWS, columns=NAMES))
        found: list[Record] = connection.sql(sql).df().to_dict("records")
        return [
            {key: None if value is pd.NaT or value != value else value for key, value in row.items()} for row in found
        ]


def grouped(*keys: int) -> dict[tuple[object, ...], list[Row]]:
    found = defaultdict(list)
    for row in ROWS:
        found[tuple(row[key] for key in keys)].append(row)
    return dict(sorted(found.items()))


def equal_bins(column: int, count: int) -> list[Record]:
    values = [row[column] for row in ROWS]
    low, wide = min(values), (max(values) - min(values)) / count
    found: dict[int, int] = defaultdict(int)
    for value in values:
        found[min(int((value - low) / wide), count - 1)] += 1
    return [{"x": low + n * wide, "x2": low + (n + 1) * wide, "y": found[n]} for n in sorted(found)]


def squares() -> list[Record]:
    found: dict[tuple[int, int], int] = defaultdict(int)
    spans = []
    for column in (X, Y):
        values = [row[column] for row in ROWS]
        spans.append((min(values), (max(values) - min(values)) / 12))
    for row in ROWS:
        places = [min(int((row[c] - low) / wide), 11) for c, (low, wide) in zip((X, Y), spans, strict=True)]
        found[places[0], places[1]] += 1
    (xlow, xwide), (ylow, ywide) = spans
    return [
        {
            "x": xlow + i * xwide,
            "x2": xlow + (i + 1) * xwide,
            "y": ylow + j * ywide,
            "y2": ylow + (j + 1) * ywide,
            "color": n,
        }
        for (i, j), n in sorted(found.items())
    ]


def boxes() -> list[Record]:
    found: list[Record] = []
    beyond: list[Record] = []
    for (group,), members in grouped(G).items():
        values = sorted(row[Y] for row in members)
        q1, middle, q3 = np.quantile(values, [0.25, 0.5, 0.75])
        low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
        inside = [value for value in values if low <= value <= high]
        found.append({"layer": 0, "x": group, "y": middle, "lower": inside[0], "q1": q1, "q3": q3, "upper": inside[-1]})
        beyond += [{"layer": 1, "x": group, "y": value} for value in values if not low <= value <= high]
    return found + beyond


def bells(axis: str, out: str, key: str) -> list[Record]:
    found: list[Record] = []
    for (group,), members in grouped(G).items():
        values = np.array([row[Y] for row in members])
        iqr = np.quantile(values, 0.75) - np.quantile(values, 0.25)
        h = 0.9 * min(values.std(ddof=1), iqr / 1.34) * len(values) ** -0.2
        for place in np.linspace(values.min() - 3 * h, values.max() + 3 * h, 100):
            dense = np.exp(-0.5 * ((place - values) / h) ** 2).sum() / (len(values) * h * math.sqrt(2 * math.pi))
            found.append({key: group, axis: place, out: dense})
    return found


def ecdf() -> list[Record]:
    found: list[Record] = []
    for (group,), members in grouped(G).items():
        values = sorted(row[Y] for row in members)
        found += [{"color": group, "x": v, "y": (n + 1) / len(values)} for n, v in enumerate(values)]
    return found


def smooths() -> list[Record]:
    xs, ys = np.array([row[X] for row in ROWS]), np.array([row[Y] for row in ROWS])
    n = len(xs)
    fit = distributions.linregress(xs, ys)
    left = ((ys - fit.intercept - fit.slope * xs) ** 2).sum() / (n - 2)
    t = distributions.t.ppf(0.975, n - 2)
    found: list[Record] = [{"layer": 0, "x": x, "y": y} for x, y in zip(xs, ys, strict=True)]
    places = np.linspace(xs.min(), xs.max(), 50)
    for g in places:
        y = fit.intercept + fit.slope * g
        unsure = t * math.sqrt(left * (1 / n + (g - xs.mean()) ** 2 / ((xs - xs.mean()) ** 2).sum()))
        found.append({"layer": 1, "x": g, "y": y, "lower": y - unsure, "upper": y + unsure})
    for g in places:
        nearest = np.argsort(np.abs(xs - g), kind="stable")[: math.ceil(0.5 * n)]
        far = np.abs(xs[nearest] - g).max()
        weights = (1 - (np.abs(xs[nearest] - g) / far) ** 3) ** 3
        line = np.polyfit(xs[nearest] - g, ys[nearest], 1, w=np.sqrt(weights))
        found.append({"layer": 2, "x": g, "y": line[1]})
    return found


def corners() -> list[Record]:
    rows_ = [(row[DAY], row[AMOUNT]) for row in ROWS if row[AMOUNT] is not None]
    days = [day.toordinal() for day, _ in rows_]
    every = [row[DAY].toordinal() for row in ROWS]
    low, wide = min(every), (max(every) - min(every)) / 30
    columns = defaultdict(list)
    for (day, amount), number in zip(rows_, days, strict=True):
        columns[min(int((number - low) / wide), 29)].append((day, amount))
    found = set()
    for members in columns.values():
        low_y, high_y = min(y for _, y in members), max(y for _, y in members)
        found |= {next((x, y) for x, y in members if y == low_y), next((x, y) for x, y in members if y == high_y)}
    return [{"x": x, "y": y} for x, y in sorted(found)]


def moving() -> list[Record]:
    known = {
        day: [row[AMOUNT] for row in members if row[AMOUNT] is not None] for (day,), members in grouped(DAY).items()
    }
    means = [(day, sum(values) / len(values) if values else None) for day, values in known.items()]
    found: list[Record] = []
    for place, (day, _) in enumerate(means):
        near = [mean for _, mean in means[max(0, place - 5) : place + 6] if mean is not None]
        found.append({"x": day, "y": sum(near) / len(near)})
    return found


def nearest_centres() -> list[tuple[Record, set[int]]]:
    """Each hexagon with its rows, by trying every centre for every row."""
    wide, high = ((max(row[c] for row in ROWS) - min(row[c] for row in ROWS)) / n for c, n in ((X, 12), (Y, 9)))
    left, low = (min(row[column] for row in ROWS) for column in (X, Y))
    centres = [(i + (j % 2) / 2, j) for i in range(-2, 15) for j in range(-2, 12)]
    found: dict[tuple[float, int], set[int]] = defaultdict(set)
    for number, row in enumerate(ROWS):
        u, v = (row[X] - left) / wide, (row[Y] - low) / high
        # A regular hexagon of radius 1 is the root of 3 wide, and 3 / 2 lie between two rows of hexagons.
        far = {(i, j): math.hypot((u - i) * math.sqrt(3), (v - j) * 1.5) for i, j in centres}
        # The row with the largest x lies between two, as near to one as to the other: it belongs to the right one.
        found[max(each for each in centres if math.isclose(far[each], min(far.values())))].add(number)
    made = []
    for (i, j), members in found.items():
        x, y = left + i * wide, low + j * high
        edges = {"x": x - wide / 2, "x2": x + wide / 2, "y": y - high * 2 / 3, "y2": y + high * 2 / 3}
        made.append(({**edges, "color": len(members)}, members))
    return sorted(made, key=lambda each: (round(float(str(each[0]["x"])), 9), each[0]["y"]))


def with_totals() -> list[Record]:
    cells = squares()
    found = [{"layer": 0, **cell} for cell in cells]
    for layer, axis in ((1, "x"), (2, "y")):
        sums: dict[tuple[object, object], int] = defaultdict(int)
        for cell in cells:
            sums[cell[axis], cell[f"{axis}2"]] += int(str(cell["color"]))
        ends = sorted(sums, key=lambda each: float(str(each[0])))
        found += [{"layer": layer, axis: low, f"{axis}2": high, "color": sums[low, high]} for low, high in ends]
    return found


def figure() -> list[Record]:
    cumulative = duck(
        "select h facet_x, day x, sum(sum(amount)) over (partition by h order by day) y from t "
        "group by h, day order by h, day"
    )
    found: list[Record] = [{"layer": 0, "facet_y": n, **row} for n in (10, 20) for row in cumulative]
    micros = {day: (day - date(1970, 1, 1)).days * 86_400_000_000 for day in {row[DAY] for row in ROWS}}
    low, high = min(micros.values()), max(micros.values())
    for bins in (10, 20):
        wide = (high - low) / bins
        sums: dict[tuple[str, int], float] = defaultdict(float)
        for row in ROWS:
            sums[row[H], min(int((micros[row[DAY]] - low) / wide), bins - 1)] += row[AMOUNT] or 0.0
        for (half, place), total in sorted(sums.items()):
            edges = [datetime.fromtimestamp(round(low + (place + k) * wide) / 1e6, UTC) for k in (0, 1)]
            found.append({"layer": 1, "facet_x": half, "facet_y": bins, "x": edges[0], "x2": edges[1], "y": total})
    return found


ORACLES: dict[str, Callable[[], list[Record]]] = {
    "figure_6_2": figure,
    "line": lambda: duck("select g color, n x, avg(amount) y from t group by all order by 1, 2"),
    "bar_counted": lambda: duck("select g x, count(*) y from t group by all order by 1"),
    "bar_stacked": lambda: duck("select h color, g x, sum(amount) y from t group by all order by 1, 2"),
    "bar_dodged": lambda: duck("select h color, g x, median(amount) y from t group by all order by 1, 2"),
    "bar_horizontal": lambda: duck("select avg(amount) x, g y from t group by all order by g"),
    "bar_of_numbers": lambda: duck("select n x, count(*) y from t group by all order by 1"),
    "bar_flipped": lambda: duck("select g x, max(amount) y from t group by all order by 1"),
    "area_stacked": lambda: duck(
        "select g color, date_trunc('month', day) x, date_trunc('month', day) + interval 1 month x2, count(*) y "
        "from t group by all order by 1, 2"
    ),
    "histogram": lambda: equal_bins(X, 30),
    "histogram_round": lambda: duck(
        "select g color, floor(x) x, floor(x) + 1 x2, count(*) y from t group by all order by 1, 2"
    ),
    "rect": lambda: duck(
        "select date_trunc('month', day) x, date_trunc('month', day) + interval 1 month x2, avg(amount) y "
        "from t group by all order by 1"
    ),
    "cell": lambda: duck("select g x, h y, avg(amount) color from t group by all order by 1, 2"),
    "heat_map": squares,
    "heat_map_totals": with_totals,
    "names_totals": lambda: [
        *duck("select 0 layer, n x, g y, avg(amount) color from t group by all order by 3, 2"),
        *duck("select 1 layer, n x, avg(amount) color from t group by all order by 2"),
        *duck("select 2 layer, g y, avg(amount) color from t group by all order by 2"),
    ],
    "hexagons": lambda: [mark for mark, _ in nearest_centres()],
    "pie": lambda: duck("select g color, count(*) y from t group by all order by 1"),
    "donut": lambda: duck("select h color, sum(amount) y from t group by all order by 1"),
    "rose": lambda: duck("select g color, n x, count(*) y from t group by all order by 1, 2"),
    "radial_bar": lambda: duck("select h color, g x, sum(amount) y from t group by all order by 1, 2"),
    "waterfall": lambda: [
        *duck("select 0 layer, g x, sum(y) y from t group by all order by 2"),
        *duck("select 1 layer, 'total' x, sum(y) y from t"),
    ],
    "radar": lambda: duck("select h color, country x, avg(amount) y from t group by all order by 1, 2"),
    "radial_area": lambda: duck("select g color, n x, count(*) y from t group by all order by 1, 2"),
    "map_countries": lambda: duck("select country x, avg(amount) color from t group by all order by 1"),
    "map_counted": lambda: duck("select country x, count(*) color from t group by all order by 1"),
    "map_points": lambda: [
        {"color": row[G], "x": row[LONGITUDE], "y": row[LATITUDE], "size": row[AMOUNT]} for row in ROWS
    ],
    "box": boxes,
    "violin": lambda: bells("y", "density", "x"),
    "density": lambda: bells("x", "y", "color"),
    "ecdf": ecdf,
    "cumulative": lambda: duck(
        "select h color, day x, sum(sum(amount)) over (partition by h order by day) y from t "
        "group by h, day order by h, day"
    ),
    "smooth": smooths,
    "errorbar": lambda: duck(
        "select g x, avg(y) y, avg(y) - 1.96 * stddev_samp(y) / sqrt(count(*)) lower, "
        "avg(y) + 1.96 * stddev_samp(y) / sqrt(count(*)) upper from t group by all order by 1"
    ),
    "errorband": lambda: duck(
        "select n x, avg(amount) y, avg(amount) - stddev_samp(amount) lower, avg(amount) + stddev_samp(amount) upper "
        "from t group by all order by 1"
    ),
    "window": moving,
    "m4": corners,
    "level": lambda: [
        *duck("select 0 layer, g x, sum(amount) y from t group by all order by x"),
        *duck("select 1 layer, null x, avg(y) y from (select sum(amount) y from t group by g)"),
    ],
    "folded": lambda: [
        *duck("select n x, avg(x) y, 'x' color from t where n between 2 and 6 group by all order by n"),
        *duck("select n x, avg(y) y, 'y' color from t where n between 2 and 6 group by all order by n"),
    ],
    "second_axis": lambda: [
        *duck("select 0 layer, g x, sum(amount) y from t group by all order by x"),
        *duck("select 1 layer, g x, avg(x) y from t group by all order by x"),
    ],
    "sorted": lambda: duck("select g x, sum(amount) y from t group by all order by y desc"),
    "text": lambda: [
        {"layer": layer, **row}
        for layer in (0, 1)
        for row in duck("select g x, avg(amount) y from t group by all order by 1")
    ],
    "facet_grid": lambda: [{"facet_x": row[G], "facet_y": row[H], "x": row[X], "y": row[Y]} for row in ROWS],
}


def plain(value: object) -> object:
    """Values of DuckDB, Python and Arrow in one form: times as seconds."""
    if isinstance(value, datetime | pd.Timestamp):
        return value.replace(tzinfo=UTC).timestamp() if value.tzinfo is None else value.timestamp()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC).timestamp()
    return float(value) if isinstance(value, int | float | np.number) else value


def check_marks(name: str, found: list[Record]) -> None:
    wanted = [{key: plain(value) for key, value in row.items()} for row in ORACLES[name]()]
    shown = [{key: plain(value) for key, value in row.items()} for row in found]
    if name == "m4":  # first and last of a column of pixels are any of its rows at the first and last day
        shown_pairs = {(row["x"], round(float(str(row["y"])), 9)) for row in shown}
        assert {(row["x"], round(float(str(row["y"])), 9)) for row in wanted} <= shown_pairs
        return
    assert len(shown) == len(wanted)
    for one, other in zip(shown, wanted, strict=True):
        found_ = {key: value for key, value in one.items() if value is not None}
        wanted_ = {key: value for key, value in other.items() if value is not None}
        assert found_.keys() == wanted_.keys()
        for key, value in wanted_.items():
            assert found_[key] == (pytest.approx(value, rel=1e-7, abs=1e-9) if isinstance(value, float) else value), key


KEYS = {
    "bar_stacked": {"x": G, "color": H},
    "bar_dodged": {"x": G, "color": H},
    "names_totals": {"x": N, "y": G},
    "pie": {"color": G},
    "radar": {"x": COUNTRY, "color": H},
    "radial_area": {"x": N, "color": G},
    "map_countries": {"x": COUNTRY},
    "map_counted": {"x": COUNTRY},
    "map_points": {"x": LONGITUDE, "y": LATITUDE},
    "violin": {"x": G},
    "density": {"color": G},
    "facet_grid": {"y": Y},
}
"""The charts whose marks come from the rows with their keys, and the columns of these."""


def behind(name: str, mark: Record) -> set[int] | None:
    """The rows a mark was made from, by its definition; None where no definition is written down here."""
    if name in KEYS:
        keys = [(column, mark[key]) for key, column in KEYS[name].items()]
        return {n for n, row in enumerate(ROWS) if all(value in (None, row[column]) for column, value in keys)}
    if name == "histogram":
        last = max(row[X] for row in ROWS)
        low, high = float(str(mark["x"])), float(str(mark["x2"]))
        return {
            n for n, row in enumerate(ROWS) if low <= row[X] < high or (row[X] == last and math.isclose(high, last))
        }
    if name == "hexagons":
        return next(
            members
            for each, members in nearest_centres()
            if all(math.isclose(float(str(each[key])), float(str(mark[key]))) for key in ("x", "y"))
        )
    if name == "waterfall":
        return {n for n, row in enumerate(ROWS) if mark["x"] in (row[G], "total")}
    if name == "cumulative":
        return {n for n, row in enumerate(ROWS) if row[H] == mark["color"] and row[DAY] <= mark["x"]}
    if name == "box":
        column, key = (G, "x") if mark["layer"] == 0 else (Y, "y")
        return {n for n, row in enumerate(ROWS) if row[column] == mark[key]}
    return None


def check(ws: whence.Workspace, names: list[str], folder: Path) -> None:
    """All of them, before what is wrong is said: a run of Spark is dear."""
    data = ws.create("t", ROWS, schema=SCHEMA, cell_caveats=[(3, "amount", "smudged")])
    wrong = {}
    for name in names:
        try:
            check_one(name, data.chart(GALLERY[name], name=f"c_{name}"), folder)
        except (AssertionError, whence.WhenceError, KeyError, ValueError) as error:
            wrong[name] = f"{type(error).__name__} {error}"[:1500]
    assert wrong == {}


def check_one(name: str, chart: whence.Chart[whence.Dataset], folder: Path) -> None:
    found = chart.marks.to_arrow().to_pylist()
    assert chart.marks.lineage.exact
    if name in ORACLES:
        check_marks(name, found)
    for mark in {0, len(found) // 2, len(found) - 1}:
        wanted = behind(name, found[mark])
        if wanted is not None:
            assert set(chart.marks.lineage.backward([mark], to="t").ids.tolist()) == wanted, mark
    check_vega(chart.vega, len(found), chart.notes)
    save_vega(chart.vega, folder / f"{name}.svg")
    if "WHENCE_PICTURES" in os.environ:  # to look at them
        save_vega(chart.vega, Path(os.environ["WHENCE_PICTURES"]) / f"{name}.png")


def check_vega(vega: dict[str, object], marks: int, notes: tuple[str, ...]) -> None:
    """Every mark is there once, nothing is left to compute, and no data set has the name Vega keeps for itself."""
    datasets = vega["datasets"]
    assert isinstance(datasets, dict)
    text = json.dumps({**vega, "datasets": {name: each for name, each in datasets.items() if name != "world"}})
    assert "NaN" not in text
    assert "Infinity" not in text
    # The outline of a country is looked up by its name, which is all that a transform may do.
    assert text.count('"transform"') == text.count('"lookup"')
    assert '"aggregate"' not in text
    assert "marks" not in datasets
    drawn = [
        row["_mark"] for name, each in datasets.items() if name.startswith("rows") for row in each if "_mark" in row
    ]
    # The corners of an outline follow each other, all of one mark.
    once = [mark for mark, _ in groupby(drawn)]
    assert len(once) == len(set(once))
    assert len(once) == marks or notes
    if '"linear-closed"' not in text:
        assert len(drawn) == len(once)


@pytest.mark.parametrize("part", range(4))
def test_charts_are_their_definitions(ws: whence.Workspace, tmp_path: Path, part: int) -> None:
    check(ws, SHORT[part::4], tmp_path)


@pytest.mark.long
def test_all_charts_are_their_definitions(ws: whence.Workspace, tmp_path: Path) -> None:
    check(ws, [name for name in GALLERY if name not in SHORT], tmp_path)


def test_marks_in_doubt_are_hatched_and_say_why(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS[:20], schema=SCHEMA, cell_caveats=[(3, "amount", "smudged")])
    chart = data.chart({"aes": {"x": "g", "y": "amount"}, "stat": "sum", "geom": "bar"})
    datasets: Any = chart.vega["datasets"]
    doubtful = datasets["doubtful"]
    assert [(row["x"], row["_why"]) for row in doubtful] == [(ROWS[3][G], "smudged")]
    assert "gradient" in json.dumps(chart.vega)
    again = data.chart({"aes": {"x": "g", "y": "amount"}, "stat": "sum", "geom": "bar"})
    assert again.marks.record == chart.marks.record  # the same query over the same version is not run again
    layers: Any = FIGURE_6_2["layer"]
    assert len(layers) == 2
