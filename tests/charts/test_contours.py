"""Contours: lines are where the height is, and the rows of a mark are those that lie between its line and the next."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import whence
from tests.charts.test_compile import compiled
from whence.charts.errors import BadChart
from whence.charts.isolines import Field, Ring
from whence.charts.overlay import overlay

NAN = float("nan")
CHANCE = random.Random(11)
ROWS = [
    (CHANCE.choice("uv"), CHANCE.gauss(3 * (number % 2), 1), CHANCE.gauss(-2 * (number % 2), 0.7), number % 5)
    for number in range(160)
]
SCHEMA = "g string, x double, y double, n int"


def winding(rings: list[Ring], place: tuple[float, float]) -> int:
    """How often lines go around a place against the clock."""
    turns = 0.0
    for ring in rings:
        angles = [math.atan2(y - place[1], x - place[0]) for x, y in ring]
        for one, other in zip(angles, [*angles[1:], angles[0]], strict=True):
            turns += math.remainder(other - one, math.tau)
    return round(turns / math.tau)


def height(field: Field, place: tuple[float, float]) -> float:
    """The value of the plane through the corners of the triangle that holds a place, by solving for it."""
    i, j = (
        int(np.searchsorted(axis, at, side="right")) - 1 for axis, at in zip((field.x, field.y), place, strict=True)
    )
    u = (place[0] - field.x[i]) / (field.x[i + 1] - field.x[i])
    v = (place[1] - field.y[j]) / (field.y[j + 1] - field.y[j])
    corners = [(i, j), (i + 1, j + 1), (i + 1, j) if u >= v else (i, j + 1)]
    known = np.array([[field.x[k], field.y[m], 1.0] for k, m in corners])
    plane = np.linalg.solve(known, np.array([field.values[corner] for corner in corners]))
    return float(plane @ [*place, 1.0])


def test_a_place_lies_inside_a_line_just_if_it_reaches_the_level() -> None:
    chance = np.random.default_rng(5)
    for _ in range(12):
        x, y = np.cumsum(chance.uniform(0.2, 1, 7)), np.cumsum(chance.uniform(0.2, 1, 6))
        values = chance.normal(size=(7, 6)).round(1)
        field = Field(x, y, values)
        for level in (-0.7, 0.0, 0.5):
            rings = field.rings(level)
            for place in zip(chance.uniform(x[0], x[-1], 60), chance.uniform(y[0], y[-1], 60), strict=True):
                at = (float(place[0]), float(place[1]))
                assert winding(rings, at) == int(height(field, at) >= level)


def test_lines_end_where_values_are_missing() -> None:
    x = np.arange(4.0)
    values = np.ones((4, 4))
    values[1, 1] = NAN
    rings = Field(x, x, values).rings(0.5)
    assert [winding(rings, place) for place in ((2.5, 2.5), (0.5, 2.5), (0.8, 0.9), (1.2, 1.1))] == [1, 1, 0, 0]


def test_nothing_reaches_a_level_above_all_values() -> None:
    assert Field(np.arange(3.0), np.arange(3.0), np.zeros((3, 3))).rings(0.1) == []


def lines(chart: whence.Chart[whence.Dataset]) -> dict[int, list[Ring]]:
    """The closed lines of each mark, as they are drawn."""
    vega: Any = chart.vega
    found: dict[int, list[Ring]] = defaultdict(lambda: [[]])
    for name, rows in vega["datasets"].items():
        for row in rows if name.startswith("rows") else ():
            if row["x"] is None:
                found[row["_mark"]].append([])
            else:
                found[row["_mark"]][-1].append((row["x"], row["y"]))
    return {mark: [ring for ring in rings if ring] for mark, rings in found.items()}


def check_rows(
    chart: whence.Chart[whence.Dataset], rows: list[tuple[str, float, float, int]], facet: int | None
) -> None:
    """The rows of each mark are those inside its own line and inside no higher one, found on the picture itself."""
    marks, drawn = chart.marks.to_arrow().to_pylist(), lines(chart)
    assert chart.marks.lineage.exact
    for mark, value in enumerate(marks):
        panel = [n for n, row in enumerate(rows) if facet is None or row[facet] == value["facet"]]
        higher = [
            number
            for number, other in enumerate(marks)
            if other.get("facet") == value.get("facet") and other["color"] > value["color"]
        ]
        inside = {n for n in panel if winding(drawn[mark], (rows[n][1], rows[n][2]))}
        inside -= {n for n in inside for other in higher if winding(drawn[other], (rows[n][1], rows[n][2]))}
        assert set(chart.marks.lineage.backward([mark], to="t").ids.tolist()) == inside
        assert value["size"] == len(inside)
        assert (value["x"], value["x2"]) == (min(rows[n][1] for n in inside), max(rows[n][1] for n in inside))


def dense(
    rows: list[tuple[str, float, float, int]], place: tuple[float, float], stated: tuple[float, float] | None = None
) -> float:
    """The density at a place by its definition: the mean of bells, as wide as stated or as Scott's rule says."""
    product = []
    for _, *at, _ in rows:
        product.append(list(at))
    points = np.array(product)
    wide = points.std(axis=0, ddof=1) * len(points) ** (-1 / 6) if stated is None else np.array(stated)
    apart = (points - np.array(place)) / wide
    return float(np.exp(-0.5 * (apart**2).sum(axis=1)).mean() / (2 * math.pi * wide.prod()))


def test_contours_of_a_density_hold_the_rows_inside_them(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    chart = data.chart({"aes": {"x": "x", "y": "y"}, "stat": {"type": "contour", "levels": 5}})
    check_rows(chart, ROWS, None)
    levels = chart.marks.to_arrow()["color"].to_pylist()
    assert levels == [pytest.approx(levels[0] * step) for step in range(1, 6)]
    drawn = lines(chart)
    for mark, level in enumerate(levels):
        # A band lies between its own line and the next higher one.
        ends = [level, *levels[mark + 1 : mark + 2]]
        for place in [place for ring in drawn[mark] for place in ring][::7]:
            here = dense(ROWS, place)
            assert any(here == pytest.approx(end, rel=0.03, abs=0.01 * levels[-1]) for end in ends)
    lost = len(ROWS) - sum(chart.marks.to_arrow()["size"].to_pylist())
    assert lost > 0
    assert chart.notes == (f"{lost} of 160 rows lie outside of all contours.",)
    other = data.chart({"aes": {"x": "g"}, "geom": "bar"}, name="bars")
    selected = whence.link([chart, other]).brush(other, x=["u"])[chart]
    for mark, count in enumerate(selected["selected"].to_pylist()):
        behind = chart.marks.lineage.backward([mark], to="t").ids.tolist()
        assert count == sum(ROWS[n][0] == "u" for n in behind)


def test_a_bandwidth_is_how_wide_the_bells_of_a_density_are(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    stat = {"type": "contour", "levels": 3, "bandwidth": [1.5, 0.6]}
    chart = data.chart({"aes": {"x": "x", "y": "y"}, "stat": stat})
    check_rows(chart, ROWS, None)
    levels = chart.marks.to_arrow()["color"].to_pylist()
    drawn = lines(chart)
    for mark, level in enumerate(levels):
        ends = [level, *levels[mark + 1 : mark + 2]]
        for place in [place for ring in drawn[mark] for place in ring][::7]:
            here = dense(ROWS, place, (1.5, 0.6))
            assert any(here == pytest.approx(end, rel=0.03, abs=0.01 * levels[-1]) for end in ends)


@pytest.mark.parametrize(
    ("aes", "bandwidth", "said"),
    [
        ({"x": "x", "y": "y"}, [1], r"at stat.bandwidth: bandwidth needs two numbers above zero"),
        ({"x": "x", "y": "y"}, [1, 0], r"bandwidth needs two numbers above zero"),
        ({"x": "x", "y": "y", "color": "n"}, [1, 1], r"lines of equal value have no bandwidth"),
        ({"x": "day", "y": "y"}, [1, 1], r"a bandwidth is measured in numbers, and one axis holds times"),
    ],
)
def test_a_bandwidth_that_means_nothing_is_refused(aes: dict[str, str], bandwidth: list[float], said: str) -> None:
    with pytest.raises(BadChart, match=said):
        compiled({"aes": aes, "stat": {"type": "contour", "bandwidth": bandwidth}})


def test_bells_that_fall_between_the_places_of_the_grid_are_refused(ws: whence.Workspace) -> None:
    data = ws.create("t", [("u", float(n), float(n), n) for n in range(34)], schema=SCHEMA)
    spec = {"aes": {"x": "x", "y": "y"}, "stat": {"type": "contour", "bandwidth": [0.99, 2]}}
    with pytest.raises(BadChart, match=r"bells that are 0\.99 wide .* 40 places") as error:
        _ = data.chart(spec).marks
    assert "at least 1 wide" in str(error.value.hint)
    fitting = {"aes": {"x": "x", "y": "y"}, "stat": {"type": "contour", "bandwidth": [1.01, 2]}}
    assert len(data.chart(fitting).marks.to_arrow()) > 0


def test_bells_that_reach_below_zero_are_refused_on_a_log_scale(ws: whence.Workspace) -> None:
    data = ws.create("t", [(g, abs(x) + 0.1, y, n) for g, x, y, n in ROWS], schema=SCHEMA)
    spec = {"aes": {"x": "x", "y": "y"}, "geom": "contour", "scale": {"x": "log"}}
    with pytest.raises(BadChart, match="a log scale shows values above zero only, but x begins at -"):
        _ = data.chart(spec).vega


def test_each_panel_has_contours_of_its_own_rows(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    stat = {"type": "contour", "levels": 3}
    check_rows(data.chart({"aes": {"x": "x", "y": "y"}, "stat": stat, "facet": {"wrap": "g"}}), ROWS, 0)


def test_contours_of_values_hold_the_rows_of_their_heights(ws: whence.Workspace) -> None:
    places = [(float(x), float(y)) for x in range(6) for y in range(5) for _ in range(2)]
    values = [round(math.sin(x) + y / 3 + 0.1 * (n % 2), 3) for n, (x, y) in enumerate(places)]
    rows = [(x, y, z) for (x, y), z in zip(places, values, strict=True)]
    data = ws.create("t", rows, schema="x double, y double, z double")
    chart = data.chart({"aes": {"x": "x", "y": "y", "color": "z"}, "stat": {"type": "contour", "at": [0, 0.5, 1]}})
    means = {place: sum(z for *at, z in rows if tuple(at) == place) / 2 for place in places}
    bands = [(0.0, 0.5), (0.5, 1.0), (1.0, math.inf)]
    found = chart.marks.to_arrow().to_pylist()
    assert [mark["color"] for mark in found] == [0.0, 0.5, 1.0]
    for mark, (low, high) in enumerate(bands):
        wanted = {n for n, place in enumerate(places) if low <= means[place] < high}
        assert set(chart.marks.lineage.backward([mark], to="t").ids.tolist()) == wanted
        assert found[mark]["size"] == len(wanted)
    assert chart.notes == (f"{sum(means[place] < 0 for place in places)} of 60 rows lie outside of all contours.",)
    drawn = lines(chart)
    for mark, (low, _) in enumerate(bands):
        inside = [
            place for place in places if winding(drawn[mark], (place[0] * 0.998 + 0.005, place[1] * 0.998 + 0.004))
        ]
        assert all(means[place] > low - 0.02 for place in inside)


def test_rows_in_doubt_hatch_their_band(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA, cell_caveats=[(3, "x", "smudged")])
    vega: Any = data.chart({"aes": {"x": "x", "y": "y"}, "geom": "contour"}).vega
    hatched = vega["layer"][-1]
    assert (hatched["mark"]["type"], hatched["data"]["name"]) == ("line", "doubtful")
    assert "gradient" in hatched["mark"]["fill"]


def test_a_selection_without_rows_in_a_band_leaves_the_band_out() -> None:
    spec: dict[str, object] = {"aes": {"x": "x", "y": "y"}, "geom": "contour"}
    made = compiled(spec)
    levels = [key[-1] for key in made.branches[0].relation.outlines.rings]
    marks = pa.table(
        {"x": [0.0, 0.0], "x2": [1.0, 1.0], "y": [0.0, 0.0], "y2": [1.0, 1.0], "color": levels[:2], "size": [5, 4]}
    )
    found = overlay(made, marks, "size", {"size": [3, 0]}, 100)
    assert {row["_mark"] for row in found["rows"]} == {0}


def test_scattered_values_are_refused(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    with pytest.raises(BadChart, match=r"lines of equal value need a grid of x and y, and 160 of 25,600 crossings"):
        _ = data.chart({"aes": {"x": "x", "y": "y", "color": "n"}, "geom": "contour"}).marks
    with pytest.raises(BadChart, match="no row has both x and y"):
        _ = data.chart({"aes": {"x": "x", "y": "y"}, "geom": "contour", "data": {"where": "x > 99"}}).marks
