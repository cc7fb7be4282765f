"""Maps: which outline a name means, where Vega draws a place, what is said of what has none, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from importlib.resources import files
from typing import Any

import pyarrow as pa
import pytest

from tests.charts.test_compile import compiled
from tools.environment import ROOT
from whence.charts.errors import BadChart
from whence.charts.overlay import overlay
from whence.charts.parse import parse
from whence.charts.picture import Doubts, Picture, compose
from whence.charts.save import as_svg
from whence.charts.vega import to_vega
from whence.charts.world.countries import find_shape
from whence.charts.world.outlines import NAME, boxes, topology, with_outlines
from whence.charts.world.projections import PROJECTIONS

COUNTRIES: dict[str, object] = {"aes": {"x": "country", "color": "amount"}, "geom": "map_country"}
POINTS: dict[str, object] = {"aes": {"x": "longitude", "y": "latitude"}, "geom": "map_point"}
Marks = dict[str, list[object]]


def table() -> list[dict[str, str]]:
    text = files("whence.charts.world").joinpath("countries.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def picture(spec: dict[str, object], marks: Marks, *doubtful: int) -> Picture:
    return compose(compiled(spec), pa.table(marks), Doubts(frozenset(doubtful)), 100)


def drawn(spec: dict[str, object], marks: Marks, *doubtful: int) -> Any:  # noqa: ANN401 - JSON
    return to_vega(parse(spec), compiled(spec), picture(spec, marks, *doubtful))


def test_every_outline_is_found_by_its_names_and_its_three_codes() -> None:
    shapes = topology()["objects"]["countries"]["geometries"]
    assert {each["properties"]["name"]: each.get("id", "") for each in shapes} == {
        row["shape"]: row["numeric"] for row in table()
    }
    for row in table():
        called = [row["shape"], row["alpha2"], row["alpha2"].lower(), row["alpha3"], *row["names"].split("|")]
        numbers = [row["numeric"], int(row["numeric"]), float(row["numeric"])] if row["numeric"] else []
        assert {find_shape(each) for each in (*called, *numbers) if each != ""} == {row["shape"]}


def test_no_name_or_code_means_two_outlines() -> None:
    codes = [row[code] for row in table() for code in ("numeric", "alpha2", "alpha3") if row[code]]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("United States", "United States of America"), ("the netherlands", "Netherlands"), ("76", "Brazil"),
        ("Bosnia & Herzegovina", "Bosnia and Herz."), ("GREAT BRITAIN", "United Kingdom"), (76, "Brazil"),
        ("Cote d\u2019Ivoire", "Côte d'Ivoire"), ("Viet Nam", "Vietnam"), ("UK", "United Kingdom"),
        ("Congo", "Congo"), ("Democratic Republic of the Congo", "Dem. Rep. Congo"), ("NE", "Niger"), ("NG", "Nigeria"),
    ],
)  # fmt: skip
def test_names_as_people_write_them_mean_an_outline(value: object, shape: str) -> None:
    assert find_shape(value) == shape


@pytest.mark.parametrize("value", [None, "", "Atlantis", "Singapore", "Europe", 1000, 0.5, "F"])
def test_other_values_mean_no_outline(value: object) -> None:
    assert find_shape(value) is None


def test_the_outlines_are_those_of_the_package_that_the_page_uses() -> None:
    own = files("whence.charts.world").joinpath("countries-110m.json").read_bytes()
    package = ROOT / "web" / "node_modules" / "world-atlas" / "countries-110m.json"
    if not package.is_file():
        pytest.skip("the packages of the page are not installed")
    assert own == package.read_bytes()


def test_a_country_lies_where_its_largest_part_lies() -> None:
    west, south, east, north = boxes()["France"]
    assert (-6 < west < -4, 42 < south < 43, 8 < east < 9, 50 < north < 52) == (True,) * 4


@pytest.mark.parametrize("name", PROJECTIONS)
def test_places_lie_where_vega_draws_them(name: str) -> None:
    places = [(-120.0, 60.0), (10.0, -40.0), (150.0, 20.0), (0.0, 0.0), (179.0, 84.0)]
    spec = {**POINTS, "geom": {"type": "map_point", "projection": name}}
    vega = drawn(spec, {"x": [x for x, _ in places], "y": [y for _, y in places]})
    scale, (left, top) = stated(vega, "scale"), stated(vega, "translate")
    flat = [PROJECTIONS[name].at(each) for each in places]
    wanted = [(left + scale * x, top - scale * y) for x, y in flat]
    assert symbols(vega) == [pytest.approx(each, abs=0.02) for each in wanted]
    assert all(0 <= x <= 420 and 0 <= y <= 260 for x, y in wanted)


def stated(vega: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - a number or two
    """A property of the projection in a panel of the usual size."""
    names = {"width": 420, "height": 260, "min": min}
    return eval(vega["projection"][name]["expr"], {"__builtins__": {}}, names)


def symbols(vega: dict[str, object]) -> list[tuple[float, float]]:
    """Where the symbols of a drawing stand, in pixels of the panel."""
    root = ElementTree.fromstring(as_svg(vega))
    groups = [each for each in root.iter() if "mark-symbol role-mark" in each.get("class", "")]
    found = [re.findall(r"-?[\d.]+", path.get("transform", "")) for group in groups for path in group]
    return [(float(x), float(y)) for x, y in found]


def test_a_map_shows_where_its_marks_are_or_the_world() -> None:
    near: Marks = {"x": [13.0, 14.0], "y": [52.0, 53.0]}
    close, whole = (
        stated(drawn({**POINTS, "geom": {"type": "map_point", "extent": extent}}, near), "scale")
        for extent in ("marks", "world")
    )
    assert close > 50 * whole
    assert 60 < whole < 90


def test_names_without_an_outline_are_said_and_not_drawn() -> None:
    marks: Marks = {"x": ["FR", "Atlantis", None, "DE"], "color": [1.0, 2.0, 3.0, 4.0]}
    made = picture(COUNTRIES, marks)
    assert made.notes == ("2 of 4 marks have no shape on the map: Atlantis, nothing.",)
    assert [(row["_mark"], row["_shape"]) for row in made.blocks[0].rows] == [(0, "France"), (3, "Germany")]


def test_marks_of_one_country_under_two_names_are_said() -> None:
    made = picture(COUNTRIES, {"x": ["FR", "France", "DE"], "color": [1.0, 2.0, 3.0]})
    assert made.notes == ("Several marks lie on each other, and only the last is seen: France (FR, France).",)


def test_points_beyond_the_globe_are_said_and_not_drawn() -> None:
    marks: Marks = {"x": [10.0, 190.0, 10.0], "y": [50.0, 0.0, 89.0]}
    made = picture(POINTS, marks)
    assert made.notes == ("1 of 3 marks lie outside of the map (longitude -180 to 180, latitude -90 to 90).",)
    assert [row["_mark"] for row in made.blocks[0].rows] == [0, 2]
    square = picture({**POINTS, "geom": {"type": "map_point", "projection": "mercator"}}, marks)
    assert square.notes == ("2 of 3 marks lie outside of the map (longitude -180 to 180, latitude -85.05 to 85.05).",)


def test_outlines_come_into_what_must_stand_alone_and_only_there() -> None:
    vega = drawn(COUNTRIES, {"x": ["FR"], "color": [1.0]})
    assert NAME not in vega["datasets"]
    assert with_outlines(vega)["datasets"][NAME] == topology()  # type: ignore[index]
    bars = {"datasets": {"rows": []}, "data": {"name": "rows"}, "mark": "bar"}
    assert with_outlines(bars) == bars
    assert b'aria-roledescription="geoshape"' in as_svg(vega) or b"mark-shape" in as_svg(vega)


def test_doubtful_countries_are_hatched_and_doubtful_points_ringed() -> None:
    hatched = drawn(COUNTRIES, {"x": ["FR", "DE"], "color": [1.0, 2.0]}, 1)["layer"][-1]
    assert (hatched["mark"]["type"], hatched["data"]["name"]) == ("geoshape", "doubtful")
    assert "gradient" in hatched["mark"]["fill"]
    ring = drawn(POINTS, {"x": [1.0], "y": [2.0]}, 0)["layer"][-1]
    assert ring["encoding"].keys() == {"longitude", "latitude", "tooltip"}


def test_a_selection_leaves_the_outlines_where_they_are() -> None:
    marks = pa.table({"x": ["FR", "DE"], "color": [1.0, 2.0]})
    found = overlay(compiled(COUNTRIES), marks, "color", {"color": [5.0, None]}, 100)
    assert [(row["_shape"], row["color"]) for row in found["rows"]] == [("France", 5.0)]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({**POINTS, "aes": {"x": "g", "y": "latitude"}}, "map_point needs a number as x, not text"),
        ({**POINTS, "aes": {"x": "day", "y": "latitude"}}, "map_point needs a number as x, not a time"),
        ({**COUNTRIES, "aes": {"x": "country", "y": "amount"}}, "shows its measure as color, not as y"),
        ({**COUNTRIES, "coord": {"flip": True}}, "map_country lies on a map, which has no axes to exchange"),
        ({**POINTS, "geom": {"type": "map_point", "projection": "gnomonic"}}, "projection cannot be 'gnomonic'"),
        ({"aes": POINTS["aes"], "layer": [{"geom": "map_point"}, {"geom": "line"}]}, "line has no place on the map"),
        (
            {
                "aes": POINTS["aes"],
                "layer": [
                    {"geom": {"type": "map_point", "projection": "mercator"}},
                    {"geom": {"type": "map_point", "projection": "equalEarth"}},
                ],
            },
            "no two values of projection (equalEarth, mercator)",
        ),
    ],
)
def test_what_lies_on_no_map_is_refused(spec: dict[str, object], said: str) -> None:
    with pytest.raises(BadChart, match=re.escape(said)):
        compiled(spec)


def test_panels_show_the_same_part_of_the_world() -> None:
    vega = drawn({**POINTS, "facet": {"wrap": "h"}}, {"facet": ["u", "v"], "x": [0.0, 100.0], "y": [0.0, 50.0]})
    first, second = (panel["projection"] for panel in vega["concat"])
    assert first == second
    assert first["scale"] == pytest.approx(0.88 * 140 / PROJECTIONS["equalEarth"].at((0, 50))[1], rel=0.2)


def test_a_map_is_json_without_what_json_has_not() -> None:
    assert json.dumps(drawn(POINTS, {"x": [1.0], "y": [90.0]}), allow_nan=False)
