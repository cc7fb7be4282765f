"""The compiler and the page alone: a made-up source instead of Spark, a made-up mark table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pytest

from tests.charts.gallery import GALLERY
from whence.charts.compile import Compiled, compile_spec
from whence.charts.errors import BadChart
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.source import Row, filled, place
from whence.charts.spec import Channel, Data
from whence.charts.vega import to_vega

TYPES = {"g": "string", "h": "string", "x": "double", "y": "double", "amount": "double", "n": "int", "day": "date"}
TYPES |= {"country": "string", "longitude": "double", "latitude": "double"}
TYPES |= {"measure": "string", "value": "double"}  # what folding makes


class Known:
    """A dataset of which only types and a number of rows are known."""

    def __init__(self, count: int = 100) -> None:
        self.count = count

    def rows(self, data: Data) -> int:
        return self.count

    def types(self, data: Data, channels: Mapping[str, Channel]) -> dict[str, str]:
        return {name: TYPES.get(str(channel.column), "double") for name, channel in channels.items()}

    def ask(self, sql: str) -> list[Row]:
        return [
            {"x": "a", "color": "a", "detail": "a", "lo": 0.0, "hi": 10.0, "n": 100, "sd": 1.0, "iqr": 1.0}
            | {"a": 1.0, "b": 2.0, "w": 1.0, "z": 3.0, "c": 100}
            | dict.fromkeys(("facet", "facet_x", "facet_y", "shape", "text"), "a")
        ]

    def extent(self, data: Data, channel: Channel) -> tuple[object, object] | None:
        return 0.0, 10.0

    def sample(self, data: Data, n: int, seed: int) -> str:
        return "a_sample"

    def stage(self, sql: str, why: str) -> str:
        return place(f"#{why}")


def compiled(spec: dict[str, object], count: int = 100) -> Compiled:
    return compile_spec(parse(spec), Known(count))


def test_a_grouped_chart_is_one_group_by_over_a_projection() -> None:
    made = compiled({"aes": {"x": "g", "y": "n", "color": "h"}, "stat": "sum", "geom": "bar"})
    assert filled(made.sql, lambda _: "t") == (
        "select x, y, color from (select color, x, sum(y) as y from (select `g` as x, `n` as y, `h` as color from `t`) "
        "group by color, x) order by color nulls last, x nulls last"
    )
    assert made.columns == ("x", "y", "color")


@pytest.mark.parametrize("name", GALLERY)
def test_the_order_of_json_keys_does_not_change_the_query(name: str) -> None:
    assert compiled(_reversed(GALLERY[name])).sql == compiled(GALLERY[name]).sql


def _reversed(json: Any) -> Any:  # noqa: ANN401 - JSON
    """The same JSON with the keys of every object the other way round."""
    if isinstance(json, dict):
        return {key: _reversed(json[key]) for key in reversed(json)}
    return [_reversed(each) for each in json] if isinstance(json, list) else json


def test_parameter_facets_of_a_group_by_become_grouping_sets() -> None:
    spec: dict[str, object] = {
        "aes": {"x": "x"},
        "stat": {"type": "bin", "bins": "B"},
        "facet": {"x": "g", "y": {"param": "B", "values": [2, 5]}},
    }
    made = compiled(spec)
    assert made.sql.count(place(None)) == 1
    assert "grouping sets ((k_facet_x, k0_x, k0_x2), (k_facet_x, k1_x, k1_x2))" in made.sql


def test_layers_are_a_union_in_drawing_order() -> None:
    made = compiled({"aes": {"x": "n", "y": "x"}, "layer": [{"geom": "line"}, {"stat": "mean", "geom": "point"}]})
    assert made.sql.count(" union all ") == 1
    assert [(branch.number, branch.geom.name) for branch in made.branches] == [(0, "line"), (1, "point")]
    assert made.columns[0] == "layer"


def test_too_many_marks_are_reduced_and_said() -> None:
    points = compiled({"aes": {"x": "x", "y": "n"}, "geom": "point"}, 20_000_000)
    assert points.branches[0].geom.name == "cell"
    assert points.notes == ("20,000,000 points are more than 5,000, so they are shown as counts in squares.",)
    line = compiled({"aes": {"x": "x", "y": "n"}, "geom": "line"}, 6_000)
    assert "min_by" in line.sql
    text = compiled({"aes": {"x": "g", "y": "n"}, "geom": "text"}, 6_000)
    assert "a_sample" in text.sql
    assert compiled({"aes": {"x": "x", "y": "n"}, "geom": "point"}, 5_000).notes == ()


def test_curves_over_many_rows_read_a_dataset_on_the_way() -> None:
    assert place("#density") in compiled({"aes": {"x": "x"}, "stat": "density"}, 10_000).sql
    assert place("#density") not in compiled({"aes": {"x": "x"}, "stat": "density"}, 100).sql


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"aes": {"x": "g"}, "stat": "bin"}, "at stat: bin needs numbers as x, not text."),
        ({"aes": {"x": "x"}, "stat": "mean"}, "at stat: mean needs y. Map a column to aes.y."),
        ({"aes": {"x": "g", "y": "h"}, "stat": {"type": "mean", "of": "y"}}, "at stat: h holds text, not numbers"),
        ({"aes": {"x": "x"}, "geom": "line"}, "at geom: line needs y. Map a column to aes.y."),
        ({"aes": {"color": {"value": "red"}}, "geom": "bar"}, "at aes: nothing is mapped to columns."),
        ({"aes": {"x": "x", "y": "n"}, "stat": ["mean", "sample"]}, "at stat[1]: sample must be the first stat."),
        ({"aes": {"x": "g", "y": "h"}, "stat": "density"}, "at stat: density needs numbers or times, not text."),
        ({"aes": {"y": "g"}, "stat": "density", "geom": "tick"}, "at stat: density needs numbers or times, not text."),
        (
            {"aes": {"x": "g", "y": "n"}, "stat": "mean", "geom": "violin"},
            "at geom: violin needs density, which its own stat makes. Leave out stat, or name the stat density.",
        ),
        (
            {"aes": {"x": "x", "y": "n"}, "stat": {"type": "quantile", "q": 7}},
            "a quantile lies between 0 and 1, not at 7.0",
        ),
        (
            {"aes": {"y": "n"}, "layer": [{"aes": {"x": "g"}, "geom": "point"}, {"aes": {"x": "x"}, "geom": "point"}]},
            "at layer[1].aes.x: x holds number here and text in layer 0. Layers share their axes.",
        ),
    ],
)
def test_what_does_not_fit_the_columns_is_said_with_its_place(spec: dict[str, object], said: str) -> None:
    with pytest.raises(BadChart) as caught:
        compiled(spec)
    assert said in str(caught.value)


class OneRowEach(Known):
    """A dataset with another value of x in every row."""

    def ask(self, sql: str) -> list[Row]:
        alone = {"lo": 1.0, "hi": 1.0, "n": 1, "sd": None, "iqr": 0.0}
        return [{"x": float(number), **alone} for number in range(self.count)]


def test_more_violins_than_can_be_seen_are_refused_with_a_sentence() -> None:
    spec = parse({"aes": {"x": "x", "y": "n"}, "geom": "violin"})
    with pytest.raises(
        BadChart, match=r"at geom: x has 240 values, but at most 100 violins .* Map a column with fewer"
    ):
        compile_spec(spec, OneRowEach(240))


def test_violins_of_single_values_say_that_their_shape_is_a_guess() -> None:
    made = compile_spec(parse({"aes": {"x": "x", "y": "n"}, "geom": "violin"}), OneRowEach(50))
    assert made.notes == ("50 of 50 density curves stand on one value, so their width is a guess.",)
    assert compiled({"aes": {"x": "x", "y": "n"}, "geom": "violin"}).notes == ()


def test_violins_of_several_series_stand_side_by_side_at_their_x() -> None:
    spec: dict[str, object] = {"aes": {"x": "g", "y": "n", "detail": "h"}, "geom": "violin"}
    made = compiled(spec)
    assert made.columns == ("x", "y", "detail", "density")
    assert made.sql.count("detail <=> s_detail") == 1
    marks = pa.table(
        {"x": ["a", "a", "b", "b"], "detail": ["p", "q"] * 2, "y": [1.0, 2.0] * 2, "density": [0.5, 1.0] * 2}
    )
    page = compose(made, marks, Doubts(), 5_000)
    assert [row["_left"] for row in page.blocks[0].rows] == pytest.approx([-0.3375, 0, 0.6625, 1])
    shape = json.dumps(to_vega(parse(spec), made, page))
    assert '"detail": [{"field": "x", "type": "nominal"}, {"field": "detail", "type": "nominal"}]' in shape


def test_violins_with_too_many_places_keep_their_shape() -> None:
    made = compiled({"aes": {"x": "g", "y": "n"}, "geom": "violin"})
    places = range(100)
    marks = pa.table(
        {
            "x": [f"{group:03}" for group in range(100) for _ in places],
            "y": [float(place) for _ in range(100) for place in places],
            "density": [1.0 - abs(place - 50) / 50 for _ in range(100) for place in places],
        }
    )
    rows = compose(made, marks, Doubts(), 5_000).blocks[0].rows
    assert len(rows) <= 5_100
    for group in ("000", "057", "099"):
        own = [row for row in rows if row["x"] == group]
        assert (own[0]["y"], own[-1]["y"]) == (0.0, 99.0)
        assert max(float(str(row["density"])) for row in own) > 0.95


def drawn(spec: dict[str, object], marks: pa.Table, doubts: Doubts | None = None) -> dict[str, Any]:
    made = compiled(spec)
    read = parse(spec)
    return to_vega(read, made, compose(made, marks, doubts or Doubts(), read.max_marks))


def test_a_line_of_constants_is_a_mark_that_no_row_is_behind() -> None:
    spec: dict[str, object] = {
        "aes": {"x": "g", "y": "n"},
        "layer": [{"stat": "mean", "geom": "bar"}, {"aes": {"x": None, "y": {"value": 3}}, "geom": "rule"}],
    }
    marks = pa.table({"layer": [0, 0, 1], "x": ["a", "b", None], "y": [1.0, 2.0, 3.0]})
    bar, rule = drawn(spec, marks)["layer"]
    assert "x" in bar["encoding"]
    assert "x" not in rule["encoding"]
    assert rule["encoding"]["y"]["scale"] == bar["encoding"]["y"]["scale"]  # trained across layers
    assert rule["encoding"]["y"]["scale"]["domain"] == [0.0, 3.0]


def test_panels_share_what_is_not_free_and_empty_ones_stay_empty() -> None:
    spec: dict[str, object] = {"aes": {"x": "x", "y": "n"}, "geom": "point", "facet": {"x": "g", "y": "h", "free": "y"}}
    marks = pa.table({"facet_x": ["a", "b"], "facet_y": ["u", "v"], "x": [0.0, 9.0], "y": [1, 100]})
    vega = drawn(spec, marks)
    panels = [panel for row in vega["vconcat"] for panel in row["hconcat"]]
    assert [panel["title"]["text"] for panel in panels] == ["a · u", "b · u", "a · v", "b · v"]
    assert [panel.get("data") for panel in panels] == [
        {"name": "rows"},
        {"values": []},
        {"values": []},
        {"name": "rows_1"},
    ]
    first, last = panels[0]["encoding"], panels[3]["encoding"]
    assert first["x"]["scale"] == last["x"]["scale"]
    assert first["y"]["scale"] != last["y"]["scale"]


def test_a_doubtful_bar_is_hatched_and_says_why() -> None:
    spec: dict[str, object] = {"aes": {"x": "g"}, "geom": "bar"}
    vega = drawn(spec, pa.table({"x": ["a", "b"], "y": [3, 4]}), Doubts(frozenset({1}), {1: "smudged"}))
    assert vega["datasets"]["doubtful"] == [
        {"y2": 0.0, "x": "b", "y": 4.0, "_mark": 1, "_doubt": True, "_why": "smudged", "_value": 4}
    ]
    assert vega["layer"][1]["mark"]["fill"]["gradient"] == "linear"


def test_scales_refuse_what_they_cannot_show() -> None:
    marks = pa.table({"x": [1.0, 2.0], "y": [0, 5]})
    with pytest.raises(BadChart, match=r"at scale.y: a log scale shows values above zero only, but y begins at 0"):
        drawn({"aes": {"x": "x", "y": "n"}, "geom": "point", "scale": {"y": "log"}}, marks)
    with pytest.raises(BadChart, match=r"at scale.y: a utc scale shows time, not number"):
        drawn({"aes": {"x": "x", "y": "n"}, "geom": "point", "scale": {"y": "utc"}}, marks)


def _ticks(spec: dict[str, object], columns: Mapping[str, Sequence[object]]) -> set[object]:
    made = drawn(spec, pa.table(columns))
    parts = made.get("layer", [made])
    assert isinstance(parts, list)
    return {part["mark"].get("orient") for part in parts if part["mark"]["type"] == "tick"}


def test_ticks_lie_across_the_axis_of_the_measure_whatever_stands_below() -> None:
    five = {"lower": [1.0], "q1": [2.0], "q3": [4.0], "upper": [5.0]}
    bare: dict[str, object] = {"type": "box", "outliers": False}
    assert _ticks({"aes": {"x": "x", "y": "n"}, "geom": bare}, {"x": [1.0], "y": [3.0], **five}) == {"horizontal"}
    assert _ticks({"aes": {"x": "g", "y": "n"}, "geom": bare}, {"x": ["a"], "y": [3.0], **five}) == {"horizontal"}
    assert _ticks({"aes": {"x": "n", "y": "g"}, "geom": bare}, {"x": [3.0], "y": ["a"], **five}) == {"vertical"}
    assert _ticks({"aes": {"x": "x", "y": "n"}, "geom": "tick"}, {"x": [1.0], "y": [3.0]}) == {"horizontal"}
    assert _ticks({"aes": {"x": "n", "y": "g"}, "geom": "tick"}, {"x": [3.0], "y": ["a"]}) == {"vertical"}
    assert _ticks({"aes": {"x": "n"}, "geom": "tick"}, {"x": [3.0]}) == {"vertical"}
    flipped: dict[str, object] = {"aes": {"x": "n"}, "geom": "tick", "coord": {"flip": True}}
    assert _ticks(flipped, {"x": [3.0]}) == {"horizontal"}


def test_an_area_with_several_rows_at_one_place_shows_them_all_and_says_so() -> None:
    made = compiled({"aes": {"x": "x", "y": "n"}, "geom": "area"})
    marks = pa.table({"x": [1.0, 1.0, 2.0], "y": [5.0, 3.0, 4.0]})
    picture = compose(made, marks, Doubts(), 100)
    assert [(row["_mark"], row["y2"], row["y"]) for row in picture.blocks[0].rows] == [(0, 0, 5), (1, 0, 3), (2, 0, 4)]
    assert picture.notes == ("Several marks of a series stand at one place, so series are not laid on each other.",)


def test_cells_along_numbers_or_times_are_squares_whatever_their_colour() -> None:
    for aes in (
        {"x": "day", "y": "n", "color": "g"},
        {"x": "g", "y": "n", "color": "h"},
        {"x": "n", "y": "g", "color": "y"},
    ):
        made = compiled({"aes": aes, "geom": "cell"})
        assert {"x2", "y2"} & set(made.columns), aes
        assert made.branches[0].kinds["color"] == "number"
    listed: dict[str, object] = {"aes": {"x": "n", "y": "g", "color": "y"}, "geom": "cell", "scale": {"x": "band"}}
    assert "x2" not in compiled(listed).columns
    assert "x2" not in compiled({"aes": {"x": "g", "y": "h", "color": "n"}, "geom": "cell"}).columns


def test_gaps_between_bars_have_a_style_that_a_page_can_colour() -> None:
    made = drawn({"aes": {"x": "x"}, "geom": "histogram"}, pa.table({"x": [1.0], "x2": [2.0], "y": [3]}))
    mark, config = made["mark"], made["config"]
    assert isinstance(mark, dict)
    assert isinstance(config, dict)
    assert (mark["style"], "stroke" in mark, config["style"]["gap"]["stroke"]) == ("gap", False, "white")


@pytest.mark.parametrize(
    ("aes", "positions"),
    [
        ({"x": "g", "y": "n", "color": "h"}, ["dodge", "dodge"]),
        ({"x": "n", "y": "g", "color": "h"}, ["dodge", "dodge"]),
        ({"x": "g", "y": "n", "color": "g"}, ["identity", "identity"]),
        ({"x": "x", "y": "n", "color": "h"}, ["dodge", "dodge"]),
        ({"x": "g", "y": "n"}, ["identity", "identity"]),
    ],
)
def test_boxes_of_several_series_stand_side_by_side_with_their_points(
    aes: dict[str, str], positions: list[str]
) -> None:
    assert [branch.pos.name for branch in compiled({"aes": aes, "geom": "box"}).branches] == positions
    stay: dict[str, object] = {"aes": aes, "geom": "box", "pos": "identity"}
    assert [branch.pos.name for branch in compiled(stay).branches] == ["identity", "identity"]
